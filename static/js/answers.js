// Answers of the server while somebody taps. One that comes too late for what has been tapped since is dropped: the next
// request is queued already. One that comes in the middle of a tap is dropped too, since drawing anew would take the
// tap; if that tap then changes nothing, it is asked for again.

export class Answers {
  /** `place` hears the requests and the taps; `ask` sends what is entered now. */
  constructor(place, ask) {
    this.changes = 0;
    let asked = 0;
    let down = false;
    let missed = false;
    place.addEventListener("htmx:beforeRequest", () => (asked = this.changes));
    place.addEventListener("pointerdown", () => (down = true));
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, () => {
        down = false;
        if (missed) setTimeout(ask);
        missed = false;
      });
    }
    place.addEventListener("htmx:beforeSwap", (event) => {
      if (asked === this.changes && !down) return;
      event.detail.shouldSwap = false;
      missed = down;
    });
  }

  /** Something has been entered. */
  changed() {
    this.changes += 1;
  }
}
