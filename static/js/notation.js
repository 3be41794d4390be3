// The canonical text of a hand, both ways: "22s 345m [123m] [555p@2] [9999s+*] (8888p) +5p".
// Only this one form is read here; every other way people type it goes to the server, which answers with this one.

export const SUITS = "mpsz";
const order = (tile) => SUITS.indexOf(tile[1]) * 10 + Number(tile[0]);
export const sorted = (tiles) => [...tiles].sort((a, b) => order(a) - order(b));

/** Tiles of a text such as "123m55z"; null where it is not canonical. */
export function readTiles(text) {
  const tiles = [];
  if (!/^(?:\s*(?:[1-9]+[mps]|[1-7]+z))*\s*$/.test(text)) return null;
  for (const [, ranks, suit] of text.matchAll(/([1-9]+)([mpsz])/g)) for (const rank of ranks) tiles.push(rank + suit);
  return tiles;
}

/** "123m55z" of tiles, sorted. */
export function writeTiles(tiles) {
  return sorted(tiles).reduce((text, tile) => (text.endsWith(tile[1]) ? text.slice(0, -1) : text) + tile, "");
}

function readMeld(open, text, marks) {
  const tiles = readTiles(text);
  if (!tiles || tiles.length < 3 || tiles.length > 4) return null;
  const same = tiles.every((tile) => tile === tiles[0]);
  const [, added, dice, , from] = /^(\+?)(\*?)(@([0-3]))?$/.exec(marks) ?? [];
  if (added === undefined || (tiles.length === 3 && (added || dice || open === "("))) return null;
  const seat = from === undefined ? null : Number(from);
  if (same && tiles.length === 4) {
    const kind = open === "(" ? "concealed_kong" : added ? "added_kong" : "exposed_kong";
    return { kind, tiles, from: seat, dice: Boolean(dice) };
  }
  if (same) return { kind: "pong", tiles, from: seat, dice: false };
  const [low] = sorted(tiles);
  const run = low[1] !== "z" && tiles.length === 3 && writeTiles(tiles) === writeTiles(runFrom(low));
  return run ? { kind: "chow", tiles: sorted(tiles), from: seat, dice: false } : null;
}

/** The three tiles of a run by its lowest. */
export const runFrom = (low) => [0, 1, 2].map((step) => Number(low[0]) + step + low[1]);

/** A hand {concealed, melds, won} of a line; null where it is not canonical. */
export function read(line) {
  const hand = { concealed: [], melds: [], won: [] };
  let rest = line.trim();
  while (rest) {
    const meld = /^([[(])([1-9mpsz]+)([+*@0-3]*)([\])])\s*/.exec(rest);
    const plain = /^(\+?)((?:[1-9]+[mpsz])+)\s*/.exec(rest);
    if (meld && (meld[1] === "(") === (meld[4] === ")")) {
      const set = readMeld(meld[1], meld[2], meld[3]);
      if (!set) return null;
      hand.melds.push(set);
      rest = rest.slice(meld[0].length);
    } else if (plain && readTiles(plain[2])) {
      hand[plain[1] ? "won" : "concealed"].push(...readTiles(plain[2]));
      rest = rest.slice(plain[0].length);
    } else return null;
  }
  return hand;
}

/** The canonical line of a hand, without spaces. */
export function write({ concealed, melds, won }) {
  const sets = melds.map(({ kind, tiles, from, dice }) => {
    const text = writeTiles(tiles) + (kind === "added_kong" ? "+" : "") + (dice ? "*" : "");
    return kind === "concealed_kong" ? `(${text})` : `[${text}${from === null ? "" : "@" + from}]`;
  });
  return writeTiles(concealed) + sets.join("") + (won.length ? "+" + writeTiles(won) : "");
}

/** Every tile of a hand. */
export const tilesOf = (hand) => [...hand.concealed, ...hand.melds.flatMap((meld) => meld.tiles), ...hand.won];

/** How many tiles belong in the hand before the winning one. */
export const room = (hand) => 13 - 3 * hand.melds.length;
