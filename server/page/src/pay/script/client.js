// The payment of this page, and its operations at the server.
const page = document.getElementById("payment");
const { id, key, secret, status, received } = page?.dataset ?? {};
// The page stands four segments deep, so that this leads to the same server also below a path of a proxy.
const address = `../../../payments/${encodeURIComponent(id)}`;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const part = (name) => document.getElementById(name);

const goOn = (told) => {
  const next = told.next_action?.redirect_to_url;
  if (next) location.assign(next);
  else location.reload();
};

// The policy of this page allows no frame to collect data in: the processor hears that nobody tried.
const complete = async () => {
  const body = JSON.stringify({ client_secret: secret, threeds_method_comp_ind: "U" });
  for (let wait = 2000; wait < 60000; wait *= 1.5) {
    try {
      const answer = await fetch(`${address}/complete_authorize`, {
        method: "POST",
        headers: { "api-key": key, "content-type": "application/json" },
        body,
      });
      const told = await answer.json();
      const isAsBefore = told.next_action?.type === "three_ds_invoke";
      // Somebody else may have gone on: then nothing waits for data any more.
      if (answer.ok ? !isAsBefore : told.code === "IR_16") {
        goOn(told);
        return;
      }
    } catch {
      // The payment is as before, or another: the next try finds out.
    }
    await pause(wait);
  }
};
if (page && "waitsForDevice" in page.dataset) complete();
