// The forms of the methods, of which one is open.

// Keyboards of East Asia may write digits twice as wide.
const narrow = (input) => input.value.normalize("NFKC");
const digits = (input) => {
  const text = narrow(input);
  // Months have two digits, also those that are written with one.
  return (input.dataset.check === "expiry" ? text.replace(/^\s*(\d)\s*\//, "0$1/") : text).replace(/\D/g, "");
};
const isAmex = (number) => /^3[47]/.test(digits(number));
const hasCheckDigit = (text) => {
  let sum = 0;
  [...text].reverse().forEach((digit, place) => {
    const value = Number(digit) * (place % 2 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
};
const month = (expiry) => digits(expiry).slice(0, 2);
const year = (expiry) => digits(expiry).slice(2);
const numberOf = (form) => form.querySelector("[data-check=number]");

// Numbers of bank accounts without the spaces and dashes between their groups.
const compact = (input) => narrow(input).replace(/[\s.-]/g, "").toUpperCase();
const matches = (input, text) => new RegExp(`^(?:${input.pattern})$`, "u").test(text);
// The remainder by 97 of the number that begins with the fifth character; A to Z count as 10 to 35.
const isIban = (text) => {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const moved = `${text.slice(4)}${text.slice(0, 4)}`;
  return [...moved].reduce((rest, sign) => Number(`${rest}${parseInt(sign, 36)}`) % 97, 0) === 1;
};
const isRouting = (text) => [...text].reduce((sum, digit, place) => sum + digit * [3, 7, 1][place % 3], 0) % 10 === 0;

// Each returns the text for a wrong value, or an empty text.
const checks = {
  number: (input) => {
    const text = digits(input);
    return text.length >= 12 && text.length <= 19 && hasCheckDigit(text) ? "" : input.dataset.bad;
  },
  expiry: (input) => {
    const [mm, yy] = [Number(month(input)), year(input)];
    if (mm < 1 || mm > 12 || ![2, 4].includes(yy.length)) return input.dataset.bad;
    const end = new Date(yy.length === 2 ? 2000 + Number(yy) : Number(yy), mm, 1);
    // Nobody knows the payer's time zone better than a day.
    return end.getTime() + 86400000 > Date.now() ? "" : input.dataset.expired;
  },
  code: (input) => {
    const wanted = isAmex(numberOf(input.form)) ? 4 : 3;
    return digits(input).length === wanted ? "" : input.dataset.bad.replace("{digits}", String(wanted));
  },
  // Payers may write dots, dashes or spaces between the digits.
  digits: (input) => matches(input, digits(input)) ? "" : input.dataset.bad,
  account: (input) => matches(input, compact(input)) ? "" : input.dataset.bad,
  routing: (input) => matches(input, compact(input)) && isRouting(compact(input)) ? "" : input.dataset.bad,
  iban: (input) => isIban(compact(input)) ? "" : input.dataset.bad,
  consent: (input) => input.checked ? "" : input.dataset.bad,
};
const withoutGroups = new Set(["account", "routing", "iban"]);
const wrongWith = (input) => {
  const check = checks[input.dataset.check];
  if (check) return check(input);
  return input.checkValidity() ? "" : input.dataset.bad;
};

const tell = (input, wrong) => {
  part(`${input.id}-error`).textContent = wrong;
  if (wrong) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
};
const show = (input) => {
  const wrong = wrongWith(input);
  tell(input, wrong);
  return !wrong;
};

// An error moves all that is below it. A button that moves away while it is pressed gets no click, so errors wait for the
// release. Touch screens press and release a mouse, too.
const delayed = new Set();
let isPressed = false;
const release = () => {
  isPressed = false;
  // The click follows the release.
  setTimeout(() => {
    for (const input of delayed) show(input);
    delayed.clear();
  });
};
const leave = (input) => {
  if (!input.value || input.type === "checkbox") return;
  if (isPressed) delayed.add(input);
  else show(input);
};

const layOut = (input) => {
  const isAtEnd = input.selectionStart === input.value.length;
  if (!isAtEnd) return;
  const text = digits(input);
  if (input.dataset.check === "number") {
    const groups = isAmex(input) ? /^(\d{1,4})(\d{1,6})?(\d+)?$/ : /\d{1,4}/g;
    const parts = isAmex(input) ? (text.match(groups) ?? []).slice(1) : text.slice(0, 19).match(groups) ?? [];
    input.value = parts.filter(Boolean).join(" ");
  } else if (input.dataset.check === "expiry" && text.length > 2) {
    input.value = `${text.slice(0, 2)} / ${text.slice(2, 6)}`;
  } else if (input.dataset.check === "iban") {
    input.value = (compact(input).match(/.{1,4}/g) ?? []).join(" ");
  }
};

// ---- The request

const put = (body, path, value) => {
  const names = path.split(".");
  const last = names.pop();
  let place = body;
  for (const name of names) place = place[name] ??= {};
  place[last] = value;
};
const inputsOf = (form) => [...form.querySelectorAll("[data-member]")];
const write = (body, input) => {
  const { check, member, memberYear } = input.dataset;
  if (check === "expiry") {
    put(body, member, month(input));
    put(body, memberYear, year(input));
    return;
  }
  // The server adds the time, the address and the browser of this request.
  if (check === "consent") {
    if (input.checked) put(body, member, { acceptance_type: "online" });
    return;
  }
  const typed = withoutGroups.has(check) ? compact : digits;
  const value = check ? typed(input) : narrow(input).trim();
  if (value) put(body, member, value);
};

const browser = () => ({
  color_depth: screen.colorDepth,
  java_enabled: false,
  java_script_enabled: true,
  language: navigator.language,
  screen_height: screen.height,
  screen_width: screen.width,
  time_zone: new Date().getTimezoneOffset(),
  user_agent: navigator.userAgent,
});
const request = (form) => {
  const { family, kind, member } = form.dataset;
  const body = { client_secret: secret, payment_method: family, payment_method_data: {}, browser_info: browser() };
  if (kind) {
    body.payment_method_type = kind;
    put(body.payment_method_data, member, {});
  }
  const inputs = inputsOf(form);
  const asksForBilling = inputs.some((input) => input.dataset.member.startsWith("payment_method_data.billing."));
  // A profile may keep the payment's billing address apart from that of the method, which therefore repeats what is known.
  if (asksForBilling && page.dataset.billing) body.payment_method_data.billing = JSON.parse(page.dataset.billing);
  for (const input of inputs) write(body, input);
  return body;
};

// The same request keeps its key, so a payer who presses twice pays once.
let sent = { body: "", key: "" };
const keyFor = (body) => {
  if (sent.body !== body) {
    const random = crypto.getRandomValues(new Uint8Array(16));
    sent = { body, key: [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
  }
  return sent.key;
};

// ---- The review of an account, before its mandate

const stepOf = (form, name) => form.querySelector(`[data-step=${name}]`);
const submitOf = (form) => form.querySelector("button[type=submit]");
const isUnreviewed = (form) => Boolean(stepOf(form, "review")?.hidden);
const turn = (form, isReview) => {
  const [fields, review, button] = [stepOf(form, "fields"), stepOf(form, "review"), submitOf(form)];
  for (const entered of review.querySelectorAll("[data-entered]")) {
    const input = part(entered.dataset.entered);
    entered.textContent = (input.selectedOptions?.[0]?.textContent ?? input.value) || "–";
  }
  fields.hidden = isReview;
  review.hidden = !isReview;
  button.dataset.label = isReview ? button.dataset.pay : button.dataset.goOn;
  button.textContent = button.dataset.label;
  (isReview ? review.querySelector("h3") : inputsOf(form)[0]).focus();
};

// ---- The answer

// The server names the member at fault by its path. The text beside the field is in the payer's language.
const blame = (form, message) => {
  const paths = inputsOf(form).flatMap((input) => {
    const { member, memberYear } = input.dataset;
    return [member, memberYear].filter(Boolean).map((path) => [path, input]);
  });
  paths.sort(([one], [other]) => other.length - one.length);
  const found = paths.find(([path]) => message.includes(path));
  if (!found) return false;
  const [, input] = found;
  const asked = input.closest("[data-if-asked]");
  if (asked) {
    asked.hidden = false;
    input.required = true;
  }
  if (!input.dataset.bad) return false;
  if (input.closest("[data-step][hidden]")) turn(form, !input.closest("[data-step=fields]"));
  tell(input, input.dataset.bad);
  input.focus();
  return true;
};

const isOver = new Set(["IR_08", "IR_16", "HE_02"]);
// Returns the text about the whole form, if the payment doesn't go on.
const send = async (form, body) => {
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
      return { isDone: true };
    }
    if ([409, 429, 503].includes(answer.status)) {
      await pause(Math.min(Number(answer.headers.get("retry-after") ?? 2), 10) * 1000);
      continue;
    }
    if (answer.status >= 500) return { said: page.dataset.unreachable };
    if (isOver.has(told.code)) {
      location.reload();
      return { isDone: true };
    }
    sent = { body: "", key: "" };
    return { said: blame(form, told.message) ? "" : form.dataset.refused };
  }
  return { said: page.dataset.unreachable };
};

let isSending = false;
const submit = async (form) => {
  if (isSending) return;
  const inputs = inputsOf(form).filter((input) => input.dataset.bad && !input.closest("[hidden]"));
  const wrong = inputs.filter((input) => !show(input));
  if (wrong.length > 0) {
    wrong[0].focus();
    return;
  }
  const [button, trouble] = [submitOf(form), form.querySelector(".trouble")];
  trouble.textContent = "";
  if (isUnreviewed(form)) {
    turn(form, true);
    return;
  }
  isSending = true;
  button.setAttribute("aria-disabled", "true");
  button.textContent = page.dataset.paying;
  let outcome;
  try {
    outcome = await send(form, JSON.stringify(request(form)));
  } catch {
    outcome = { said: page.dataset.unreachable };
  }
  if (outcome.isDone) return;
  trouble.textContent = outcome.said;
  button.textContent = button.dataset.label;
  button.removeAttribute("aria-disabled");
  isSending = false;
};

// ---- The forms

const prepare = (form) => {
  const inputs = inputsOf(form).filter((input) => input.dataset.bad);
  const button = submitOf(form);
  button.dataset.label = button.textContent;
  const allow = () => {
    const shown = inputs.filter((input) => !input.closest("[data-step][hidden]"));
    if ("whenReady" in page.dataset) button.disabled = shown.some((input) => wrongWith(input) !== "");
  };
  for (const input of inputs) {
    input.addEventListener("blur", () => leave(input));
    input.addEventListener("input", () => {
      layOut(input);
      if (input.getAttribute("aria-invalid")) show(input);
      allow();
    });
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await submit(form);
    allow();
  });
  form.querySelector("[data-change]")?.addEventListener("click", () => {
    turn(form, false);
    allow();
  });
  allow();
};
const forms = [...(page?.querySelectorAll("form[data-family]") ?? [])];
forms.forEach(prepare);
if (forms.length > 0) {
  addEventListener("mousedown", () => { isPressed = true; }, true);
  // The release of a drag, or one outside of the window, may not be told. Then a key shows the errors.
  for (const end of ["mouseup", "dragend", "keydown"]) addEventListener(end, release, true);
}

// A browser that goes back to this page may still show the choice from before.
const open = () => {
  const chosen = page.querySelector("input[name=method]:checked")?.value;
  for (const form of forms) form.hidden = (form.dataset.kind ?? "card") !== chosen;
};
const radios = [...(page?.querySelectorAll("input[name=method]") ?? [])];
for (const radio of radios) radio.addEventListener("change", open);
if (radios.length > 0) addEventListener("pageshow", open);

// Browsers know the names of countries in every language.
const names = new Intl.DisplayNames(document.documentElement.lang, { type: "region" });
for (const select of page?.querySelectorAll("select[data-countries]") ?? []) {
  const [empty, ...countries] = select.options;
  for (const country of countries) country.textContent = names.of(country.value) ?? country.value;
  countries.sort((one, other) => one.textContent.localeCompare(other.textContent, document.documentElement.lang));
  select.append(empty, ...countries);
  select.value = "";
}
