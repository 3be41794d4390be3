// The hand entry with a question: what am I waiting for, what do I throw. Adds tiles seen elsewhere, and leaves out
// who won and how.

import { HandEntry } from "./hand_entry.js";

const COPIES_IN_PLAY = 136;

class Analysis extends HandEntry {
  constructor(root) {
    super(root);
    root.addEventListener("htmx:responseError", () => this.say(root.dataset.busy));
  }
  tap(tile) {
    if (this.mode === "seen") return this.change(() => this.put("seen", tile, COPIES_IN_PLAY), false);
    return super.tap(tile);
  }
  /** After the hand comes the tile drawn, by the same key. */
  nextMode() {
    const next = super.nextMode();
    return this.root.querySelector(`[name=mode][value=${next}]`) ? next : "hand";
  }
  /** The hand goes to another seat, with what was laid out and let go. */
  move(from, to) {
    super.move(from, to);
    for (const name of ["laid", "passed", "passedbig"]) {
      const [there, here] = [this.field(name + from), this.field(name + to)];
      if (there && here && !here.value) [here.value, there.value] = [there.value, ""];
    }
  }
  counted(left) {
    return this.mode === "seen" ? left < 4 : super.counted(left);
  }
  draw() {
    super.draw();
    this.drawSeen();
  }
  drawSeen() {
    const tiles = this.plain("seen");
    const place = this.root.querySelector("#seen-tiles");
    place.replaceChildren(...(tiles.length ? [this.set("", "", tiles.map((tile, at) => [tile, { drop: "seen", at }]))] : []));
  }
  settled() {
    super.settled();
    for (const closed of this.form.querySelectorAll("details:not([open]):has(.fault)")) closed.open = true;
  }
  offline() {
    this.say(this.root.dataset.offline);
  }
  say(words) {
    this.root.querySelector("#verdict-text").textContent = words;
  }
}

for (const root of document.querySelectorAll("[data-analysis]")) new Analysis(root);
