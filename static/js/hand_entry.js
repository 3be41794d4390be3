// Keypad and typed line in step. The typed lines are the truth: tiles are drawn from them, taps rewrite them, and the
// server answers every change of the form with a settlement. No amount is computed here.

import { Answers } from "./answers.js";
import * as notation from "./notation.js";

const COPIES = 4;
const KONGS = ["exposed_kong", "added_kong", "concealed_kong"];
const NO_TILES = Object.freeze({ concealed: [], melds: [], won: [] });
const SVG = "http://www.w3.org/2000/svg";

export class HandEntry {
  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form");
    this.past = [];
    this.seat = Number(root.querySelector(".line:not([hidden])")?.dataset.seat ?? 0);
    root.addEventListener("input", (event) => {
      if (event.target.form && event.target.form !== this.form) event.stopPropagation();
      this.correct(event.target);
    }, { capture: true });
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("focusin", (event) => this.focus(event.target));
    this.form.addEventListener("submit", (event) => {
      if (!event.submitter?.formAction || event.submitter.formMethod === "get") event.preventDefault();
    });
    const answers = new Answers(root, () => this.form.dispatchEvent(new Event("input")));
    this.form.addEventListener("input", () => answers.changed());
    root.addEventListener("htmx:afterSettle", () => this.settled());
    root.addEventListener("htmx:sendError", () => this.offline());
    const verdict = root.querySelector(".verdict");
    if (verdict && matchMedia("(min-width: 880px)").matches) verdict.open = true;
    this.mode = this.nextMode();
    this.settled();
  }

  // ---- reading the form

  field(name) {
    return this.form.elements[name];
  }
  line(seat = this.seat) {
    return this.field("h" + seat);
  }
  hand(seat = this.seat) {
    const input = this.line(seat);
    return notation.read(input.value) ?? (input.dataset.typed === input.value ? notation.read(input.dataset.canonical) : null);
  }
  /** What the server last said of the rules: dealer, birds, tiles that a kong turns up. */
  get said() {
    return this.root.querySelector("#canonical").dataset;
  }
  get kind() {
    return this.root.dataset.kind;
  }
  get winners() {
    const winners = [...this.form.querySelectorAll("[name=w]:checked")].map((box) => Number(box.value));
    return winners.length ? winners : [this.seat];
  }
  get selfDraw() {
    const by = this.form.querySelector("[name=by]:checked");
    return this.kind === "win" && !this.form.querySelector("[name=rob]:checked") && (!by || this.winners.includes(Number(by.value)));
  }
  get mode() {
    return this.root.querySelector("[name=mode]:checked")?.value ?? "hand";
  }
  set mode(mode) {
    const radio = this.root.querySelector(`[name=mode][value=${mode}]`);
    if (radio) radio.checked = true;
  }
  /** Tiles of one of the plain fields (birds, indicator, laid out). */
  plain(name) {
    return notation.readTiles(this.field(name)?.value ?? "") ?? [];
  }
  get room() {
    const hand = this.hand() ?? NO_TILES;
    return notation.room(hand) + (this.kind === "opening" && this.seat === Number(this.said.dealer) ? 1 : 0);
  }
  /** How many bird tiles may be entered. */
  get birds() {
    return Number(this.said.birds);
  }
  get winTiles() {
    return this.form.querySelector("[name=ev][value^=kong]:checked") ? Number(this.said.kongTiles) : 1;
  }

  // ---- choices that depend on one another

  /** Runs before the change is sent. */
  correct(target) {
    if (target.form && target.form !== this.form) return this.draw(); // what the next tap means is no fact of the hand
    if (target.name === "w") this.chooseWinner(target);
    if (target.name === "ev") for (const other of this.form.querySelectorAll("[name=ev]")) other.checked = other === target && target.checked;
    if (target.name === "by" && this.selfDraw && this.winners.length > 1) this.winnersAre([Number(target.value)]);
    if (/^ek\d$/.test(target.name)) this.atLeast("op" + target.name[2], target.value);
    queueMicrotask(() => this.draw());
    return undefined;
  }
  chooseWinner(box) {
    const seat = Number(box.value);
    const previous = this.seat;
    if (box.checked && this.selfDraw === false && this.kind === "win") {
      const won = this.hand(previous)?.won ?? [];
      if (previous !== seat && !this.line(seat).value && this.form.querySelector(`[name=w][value="${previous}"]`).checked) {
        this.line(seat).value = won.length ? notation.write({ concealed: [], melds: [], won }) : "";
      } else this.move(previous, seat);
    } else if (box.checked && this.kind === "win") {
      this.winnersAre([seat]);
      this.move(previous, seat);
      const by = this.form.querySelector(`[name=by][value="${seat}"]`);
      if (by && this.form.querySelector("[name=by]:checked")) by.checked = true;
    }
    if (box.checked) this.seat = seat;
    else this.seat = this.winners[0];
  }
  winnersAre(seats) {
    for (const box of this.form.querySelectorAll("[name=w]")) box.checked = seats.includes(Number(box.value));
  }
  /** The winner was corrected: the hand goes with him. */
  move(from, to) {
    if (from === to || this.line(to).value) return;
    this.line(to).value = this.line(from).value;
    this.line(from).value = "";
  }
  atLeast(name, value) {
    const field = this.field(name);
    if (field && Number(field.value) < Number(value)) field.value = value;
  }

  // ---- taps

  click(event) {
    const on = (selector) => event.target.closest(selector);
    const key = on(".key");
    if (key) return key.getAttribute("aria-disabled") === "true" ? undefined : this.tap(key.dataset.tile);
    const drop = on("[data-drop]");
    if (drop) return this.drop(drop.dataset);
    if (on("[data-undo]")) return this.undo();
    if (on("[data-clear]")) return this.change(() => (this.line(Number(on("[data-clear]").dataset.clear)).value = ""));
    const block = on(".line");
    if (block && Number(block.dataset.seat) !== this.seat) {
      this.seat = Number(block.dataset.seat);
      this.draw();
    }
    const count = on(".count input");
    if (count) this.touch(count, 1, event);
    const step = on("[data-step]");
    if (step && this.touched) this.touch(this.field(this.touched), Number(step.dataset.step), event);
    return undefined;
  }
  focus(target) {
    const block = target.closest(".line");
    if (block && target.matches("input")) {
      this.seat = Number(block.dataset.seat);
      this.draw();
    }
  }
  /** A tap on a counter adds one; the last one touched has − and + under the table. */
  touch(input, step, event) {
    event.preventDefault();
    if (event.target === input && event.detail === 0) return; // from the keyboard: the field's own keys
    this.touched = input.name; // the field itself is drawn anew with every answer
    input.value = Math.min(Math.max(Number(input.value || 0) + step, 0), Number(input.max));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    this.stepper();
  }
  stepper() {
    const step = this.root.querySelector(".step");
    if (!step) return;
    const input = this.touched && this.field(this.touched);
    step.classList.toggle("idle", !input);
    step.querySelector("span").textContent = input ? input.getAttribute("aria-label") : step.dataset.hint;
    step.querySelector("output").textContent = input ? input.value : "";
  }
  tap(tile) {
    const mode = this.mode;
    if (mode === "bird") return this.change(() => this.put("birds", tile, this.birds));
    if (mode === "ind") return this.change(() => (this.field("ind").value = tile));
    if (mode === "laid") return this.change(() => this.put("laid" + this.seat, tile, 16), false);
    const hand = this.hand();
    if (!hand) return undefined;
    return this.change(() => {
      this.add(hand, mode, tile);
      this.line().value = notation.write(hand);
    });
  }
  put(name, tile, most) {
    const tiles = this.plain(name);
    this.field(name).value = notation.writeTiles([...tiles.slice(0, most - 1), tile]);
  }
  add(hand, mode, tile) {
    if (mode === "hand") {
      if (hand.concealed.length < this.room) hand.concealed.push(tile);
      else if (this.kind === "win") hand.won = [...hand.won.slice(0, this.winTiles - 1), tile];
    } else if (mode === "win") hand.won = [...hand.won.slice(0, this.winTiles - 1), tile];
    else {
      const pong = hand.melds.find((meld) => mode === "added_kong" && meld.kind === "pong" && meld.tiles[0] === tile);
      const tiles = mode === "chow" ? notation.runFrom(tile) : Array(mode === "pong" ? 3 : COPIES).fill(tile);
      if (pong) Object.assign(pong, { kind: "added_kong", tiles });
      else hand.melds.push({ kind: mode, tiles, from: null, dice: false });
    }
  }
  /** A tile of the picture of the hand was tapped: it goes, a meld as a whole. */
  drop({ drop, at, seat }) {
    if (seat) this.seat = Number(seat);
    const hand = this.hand();
    this.change(() => {
      if (this.field(drop)) {
        const tiles = this.plain(drop);
        tiles.splice(Number(at), 1);
        this.field(drop).value = notation.writeTiles(tiles);
      } else if (hand) {
        hand[drop].splice(Number(at), 1);
        this.line().value = notation.write(hand);
      }
    });
  }
  undo() {
    const before = this.past.pop();
    if (!before) return;
    for (const [name, value] of before) this.field(name).value = value;
    this.changed();
  }
  snapshot() {
    return [...this.form.querySelectorAll("[data-typed-field]")].map((input) => [input.name, input.value]);
  }
  change(how, advance = true) {
    this.past.push(this.snapshot());
    how();
    this.changed(advance);
  }
  changed(advance = true) {
    if (advance) this.mode = this.nextMode();
    this.draw();
    this.form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  /** What the next tap most likely means. */
  nextMode() {
    if (!this.line()) return "hand";
    const ind = this.field("ind");
    if (ind && !ind.value) return "ind";
    const hand = this.hand() ?? NO_TILES;
    if (hand.concealed.length < this.room) return "hand";
    if (this.kind === "win" && hand.won.length < this.winTiles) return "win";
    return this.birds ? "bird" : this.kind === "win" ? "win" : "hand";
  }

  // ---- drawing

  svg(tile) {
    const svg = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    for (const [name, value] of Object.entries({ class: "tile", viewBox: "0 0 60 80", "aria-hidden": "true" })) svg.setAttribute(name, value);
    use.setAttribute("href", `${this.root.dataset.sprite}#${tile}`);
    svg.append(use);
    return svg;
  }
  button(tile, data) {
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, data);
    button.setAttribute("aria-label", `${this.root.dataset.remove} ${this.key(tile)?.dataset.name ?? tile}`);
    button.append(this.svg(tile));
    const mark = this.marks.get(tile);
    return mark ? [button, mark] : [button, null];
  }
  set(kind, seal, tiles) {
    const span = Object.assign(document.createElement("span"), { className: "set " + kind });
    for (const [tile, data] of tiles) {
      const [button, mark] = this.button(tile, data);
      if (mark && !kind.includes("meld")) button.append(Object.assign(document.createElement("em"), { textContent: mark.text, className: mark.className }));
      span.append(button);
    }
    if (seal) span.append(Object.assign(document.createElement("span"), { className: "seal", textContent: seal, ariaHidden: "true" }));
    return span;
  }
  key(tile) {
    return this.root.querySelector(`.key[data-tile="${tile}"]`);
  }
  /** 癞, 皮 and 杠 as the server says them. */
  readMarks() {
    this.marks = new Map();
    for (const span of this.root.querySelectorAll("[data-mark]")) {
      for (const tile of span.dataset.tiles.split(" ")) this.marks.set(tile, { text: span.dataset.mark, name: span.dataset.name, className: span.dataset.class });
    }
  }
  draw() {
    if (!this.root.querySelector(".line")) return; // nobody won: no tiles
    this.readMarks();
    const winners = this.winners;
    if (!winners.includes(this.seat)) [this.seat] = winners;
    for (const block of this.root.querySelectorAll(".line")) {
      const seat = Number(block.dataset.seat);
      block.hidden = !winners.includes(seat);
      block.classList.toggle("current", seat === this.seat);
      block.classList.toggle("several", winners.length > 1);
      if (!block.hidden) this.drawHand(block, seat);
    }
    const bird = this.root.querySelector("[name=mode][value=bird]");
    if (bird) bird.closest(".mode").hidden = !this.birds;
    if (bird?.checked && !this.birds) this.mode = "hand";
    this.drawKeys(winners);
    this.stepper();
  }
  drawHand(block, seat) {
    const place = block.querySelector(".hand");
    const hand = this.hand(seat);
    const laid = this.plain("laid" + seat);
    const birds = seat === this.seat && this.birds ? this.plain("birds") : [];
    const sets = [];
    if (hand) {
      const own = (drop, tiles) => tiles.map((tile, at) => [tile, { drop, at, seat }]);
      const concealed = notation.sorted(hand.concealed);
      hand.concealed = concealed;
      if (concealed.length) sets.push(this.set("", "", own("concealed", concealed)));
      hand.melds.forEach((meld, at) => {
        const seal = meld.kind === "concealed_kong" ? this.root.dataset.dark : "";
        sets.push(this.set("meld", seal, meld.tiles.map((tile) => [tile, { drop: "melds", at, seat }])));
      });
      if (hand.won.length) sets.push(this.set("won", this.root.dataset.last ?? "胡", own("won", hand.won)));
      if (laid.length) sets.push(this.set("laid", this.root.dataset.laid, own("laid" + seat, notation.sorted(laid))));
      if (birds.length) sets.push(this.set("bird", this.root.dataset.bird, own("birds", notation.sorted(birds))));
    }
    if (hand || !block.querySelector(".typed input").value) {
      place.querySelectorAll(".set").forEach((set) => set.remove());
      place.append(...sets);
    }
    place.classList.toggle("empty", !sets.length);
  }
  drawKeys(winners) {
    const used = new Map();
    const add = (tiles) => tiles.forEach((tile) => used.set(tile, (used.get(tile) ?? 0) + 1));
    winners.forEach((seat, index) => {
      const hand = this.hand(seat);
      if (hand) add(notation.tilesOf(index ? { ...hand, won: [] } : hand)); // one winning tile, however many win on it
      add(this.plain("laid" + seat));
    });
    if (this.birds) add(this.plain("birds"));
    for (const name of ["ind", "seen"]) add(this.plain(name));
    const mode = this.mode;
    const hand = this.hand();
    for (const key of this.root.querySelectorAll(".key")) {
      const { tile, name } = key.dataset;
      const left = COPIES - (used.get(tile) ?? 0);
      key.setAttribute("aria-disabled", String(!this.fits(mode, tile, left, used, hand)));
      const mark = this.marks.get(tile);
      key.setAttribute("aria-label", [name, left < COPIES && `${this.root.dataset.left} ${left}`, mark?.name].filter(Boolean).join(", "));
      key.querySelector("i").textContent = this.counted(left) ? left : "";
      const em = key.querySelector("em");
      em.textContent = mark?.text ?? "";
      em.className = mark?.className ?? "";
    }
  }
  /** Whether a key says how many are left. */
  counted(left) {
    return left === 1 || left === 2;
  }
  fits(mode, tile, left, used, hand) {
    if (mode === "chow") return tile[1] !== "z" && Number(tile[0]) < 8 && notation.runFrom(tile).every((one) => (used.get(one) ?? 0) < COPIES);
    if (mode === "pong") return left >= 3;
    if (mode === "added_kong" && hand?.melds.some((meld) => meld.kind === "pong" && meld.tiles[0] === tile)) return left >= 1;
    if (KONGS.includes(mode)) return left === COPIES;
    return left > 0;
  }

  // ---- answers

  settled() {
    const canon = this.root.querySelector("#canonical");
    for (const seat of [0, 1, 2, 3]) {
      const input = this.line(seat);
      if (input && canon) {
        input.dataset.typed = canon.dataset["typed" + seat] ?? "";
        input.dataset.canonical = canon.dataset["line" + seat] ?? "";
      }
    }
    const mode = this.mode;
    this.draw();
    this.mode = mode;
    if (canon?.dataset.address) history.replaceState(null, "", canon.dataset.address);
  }
  offline() {
    const line = this.root.querySelector("#verdict-text");
    if (line) line.textContent = this.root.dataset.offline;
  }
}

for (const root of document.querySelectorAll("[data-hand-entry]")) new HandEntry(root);
