"use strict";
(() => {
  const page = document.getElementById("payment");
  if (!page) return;
  const { id, key, secret, status } = page.dataset;
  // The page stands four segments deep, so that this leads to the same server also below a path of a proxy.
  const address = `../../../payments/${encodeURIComponent(id)}`;
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  const watch = async () => {
    for (let wait = 2000; wait < 60000; wait *= 1.5) {
      await pause(wait);
      try {
        const answer = await fetch(`${address}?client_secret=${encodeURIComponent(secret)}`, {
          headers: { "api-key": key },
          cache: "no-store",
        });
        if (answer.ok && (await answer.json()).status !== status) {
          location.reload();
          return;
        }
      } catch {
        // Without a network there is nothing to learn: the next look may find one.
      }
    }
  };

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

  const form = document.getElementById("card");
  if (!form) {
    if ("waitsForDevice" in page.dataset) complete();
    if (status) watch();
    return;
  }
  const field = (name) => document.getElementById(name);
  const [number, expiry, code, holder] = ["number", "expiry", "code", "holder"].map(field);
  const button = form.querySelector("button");
  const trouble = field("trouble");
  const texts = form.dataset;

  // Keyboards of East Asia may write digits twice as wide.
  const digits = (input) => {
    const text = input.value.normalize("NFKC");
    // Months have two digits, also those that are written with one.
    return (input === expiry ? text.replace(/^\s*(\d)\s*\//, "0$1/") : text).replace(/\D/g, "");
  };
  const isAmex = () => /^3[47]/.test(digits(number));
  const hasCheckDigit = (text) => {
    let sum = 0;
    [...text].reverse().forEach((digit, place) => {
      const value = Number(digit) * (place % 2 ? 2 : 1);
      sum += value > 9 ? value - 9 : value;
    });
    return sum % 10 === 0;
  };
  const month = () => digits(expiry).slice(0, 2);
  const year = () => digits(expiry).slice(2);

  const checks = new Map([
    [number, () => {
      const text = digits(number);
      return text.length >= 12 && text.length <= 19 && hasCheckDigit(text) ? "" : texts.badNumber;
    }],
    [expiry, () => {
      const [mm, yy] = [Number(month()), year()];
      if (mm < 1 || mm > 12 || ![2, 4].includes(yy.length)) return texts.badExpiry;
      const end = new Date(yy.length === 2 ? 2000 + Number(yy) : Number(yy), mm, 1);
      // Nobody knows the payer's time zone better than a day.
      return end.getTime() + 86400000 > Date.now() ? "" : texts.expiredCard;
    }],
    [code, () => {
      const length = digits(code).length;
      const wanted = isAmex() ? 4 : 3;
      return length === wanted ? "" : texts.badCode.replace("{digits}", String(wanted));
    }],
  ]);

  const show = (input) => {
    const wrong = checks.get(input)();
    field(`${input.id}-error`).textContent = wrong;
    if (wrong) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return !wrong;
  };

  const layOut = (input) => {
    const isAtEnd = input.selectionStart === input.value.length;
    if (!isAtEnd) return;
    const text = digits(input);
    if (input === number) {
      const groups = isAmex() ? /^(\d{1,4})(\d{1,6})?(\d+)?$/ : /\d{1,4}/g;
      const parts = isAmex() ? (text.match(groups) ?? []).slice(1) : text.slice(0, 19).match(groups) ?? [];
      input.value = parts.filter(Boolean).join(" ");
    } else if (input === expiry && text.length > 2) {
      input.value = `${text.slice(0, 2)} / ${text.slice(2, 6)}`;
    }
  };

  const isReady = () => [...checks.values()].every((check) => check() === "");
  const waitsForReady = "whenReady" in texts;
  const allow = () => {
    if (waitsForReady) button.disabled = !isReady();
  };

  for (const input of checks.keys()) {
    input.addEventListener("blur", () => {
      if (input.value) show(input);
    });
    input.addEventListener("input", () => {
      layOut(input);
      if (input.getAttribute("aria-invalid")) show(input);
      allow();
    });
  }
  allow();

  const order = () => ({
    client_secret: secret,
    payment_method: "card",
    payment_method_data: {
      card: {
        card_number: digits(number),
        card_exp_month: month(),
        card_exp_year: year(),
        card_cvc: digits(code),
        ...(holder.value.trim() && { card_holder_name: holder.value.trim() }),
      },
    },
    browser_info: {
      color_depth: screen.colorDepth,
      java_enabled: false,
      java_script_enabled: true,
      language: navigator.language,
      screen_height: screen.height,
      screen_width: screen.width,
      time_zone: new Date().getTimezoneOffset(),
      user_agent: navigator.userAgent,
    },
  });

  // What is sent again is the same request: whoever presses twice pays once.
  let sent = { body: "", key: "" };
  const keyFor = (body) => {
    if (sent.body !== body) {
      const random = crypto.getRandomValues(new Uint8Array(16));
      sent = { body, key: [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
    }
    return sent.key;
  };

  const isOver = new Set(["IR_08", "IR_16", "HE_02"]);
  const send = async (body) => {
    for (let tries = 0; tries < 6; tries += 1) {
      const answer = await fetch(`${address}/confirm`, {
        method: "POST",
        headers: { "api-key": key, "content-type": "application/json", "idempotency-key": keyFor(body) },
        body,
      });
      const told = await answer.json();
      if (answer.ok) {
        form.reset();
        goOn(told);
        return "";
      }
      if ([409, 429, 503].includes(answer.status)) {
        await pause(Math.min(Number(answer.headers.get("retry-after") ?? 2), 10) * 1000);
        continue;
      }
      if (answer.status >= 500) return texts.unreachable;
      if (isOver.has(told.code)) {
        location.reload();
        return "";
      }
      sent = { body: "", key: "" };
      return texts.refused;
    }
    return texts.unreachable;
  };

  let isSending = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    const wrong = [...checks.keys()].filter((input) => !show(input));
    if (wrong.length > 0) {
      wrong[0].focus();
      return;
    }
    isSending = true;
    trouble.textContent = "";
    const label = button.textContent;
    button.setAttribute("aria-disabled", "true");
    button.textContent = texts.paying;
    let said;
    try {
      said = await send(JSON.stringify(order()));
    } catch {
      said = texts.unreachable;
    }
    if (!said) return;
    trouble.textContent = said;
    button.textContent = label;
    button.removeAttribute("aria-disabled");
    isSending = false;
  });
})();
