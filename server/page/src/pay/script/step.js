// The steps of a payer who acts elsewhere, and a payment that is being processed.

// The page watches for a quarter of an hour. Then it says that it has stopped, and the payer may start it again.
const LONGEST_WATCH = 900000;
const said = part("watching");

const isVisible = () => new Promise((done) => {
  if (!document.hidden) done();
  else document.addEventListener("visibilitychange", () => done(), { once: true });
});

const isAsBefore = (told) => {
  const transfer = told.next_action?.bank_transfer_steps_and_charges_details;
  const arrived = transfer?.receiver?.amount_received ?? 0;
  return told.status === status && (received === undefined || arrived === Number(received));
};

const watch = async () => {
  // The processor is asked, too, while the payer acts elsewhere.
  const asks = received === undefined ? "" : "&force_sync=true";
  const end = Date.now() + LONGEST_WATCH;
  for (let wait = 2000; Date.now() < end; wait = Math.min(wait * 1.5, 15000)) {
    await pause(wait);
    await isVisible();
    try {
      const answer = await fetch(`${address}?client_secret=${encodeURIComponent(secret)}${asks}`, {
        headers: { "api-key": key },
        cache: "no-store",
      });
      const told = await answer.json();
      if (answer.ok && !isAsBefore(told)) {
        location.reload();
        return;
      }
      // The session is over: only the page itself still knows the outcome.
      if (told.code === "IR_08") break;
    } catch {
      // Without a network there is nothing to learn: the next look may find one.
    }
  }
  said.textContent = said.dataset.paused;
  part("look-again").hidden = false;
};

if (status) {
  // Screen readers read texts that change.
  said.textContent = said.dataset.watching;
  part("look-again").addEventListener("click", () => location.reload());
  watch();
}

for (const moment of page?.querySelectorAll("time") ?? []) {
  const form = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  moment.textContent = form.format(new Date(moment.dateTime));
}
for (const button of page?.querySelectorAll(".scripted") ?? []) button.hidden = false;
page?.querySelector("[data-print]")?.addEventListener("click", () => print());
for (const button of page?.querySelectorAll("[data-copy]") ?? []) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      said.textContent = said.dataset.copied;
    } catch {
      getSelection().selectAllChildren(part(button.dataset.shown));
      said.textContent = said.dataset.notCopied;
    }
  });
}
