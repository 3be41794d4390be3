// The running totals as a chart: lines told apart by dash and by the name at their end. Its table stands below it.

const place = document.getElementById("plot");
const data = place && JSON.parse(document.getElementById("plot-data").textContent);
const STYLES = [["--slate", [2, 5], 2], ["--red", [], 3], ["--jade", [9, 4], 2], ["--gold", [9, 4, 1, 4], 2], ["--muted", [4, 4], 2], ["--ink", [1, 3], 2]];
const LINE = 17;
const LONGEST = 8;
const style = (number) => STYLES[number % STYLES.length];
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

function ends(plot) {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const last = data.hands.length - 1;
  const labels = data.lines
    .map((line, number) => ({ number, y: plot.valToPos(line[last], "y", true) }))
    .sort((one, other) => one.y - other.y);
  // Names that would cover one another move apart, then back into the picture.
  for (let i = 1; i < labels.length; i += 1) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + LINE * ratio);
  const over = Math.max(0, labels.at(-1).y - (plot.bbox.top + plot.bbox.height));
  for (const label of labels) label.y -= over;
  for (let i = labels.length - 2; i >= 0; i -= 1) labels[i].y = Math.min(labels[i].y, labels[i + 1].y - LINE * ratio);
  ctx.save();
  ctx.font = `${14 * ratio}px ${getComputedStyle(place).fontFamily}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const { number, y } of labels) {
    const letters = [...data.names[number]];
    ctx.fillStyle = colour(style(number)[0]);
    ctx.fillText(letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join(""),
      plot.bbox.left + plot.bbox.width + 8 * ratio, y, 88 * ratio);
  }
  ctx.restore();
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

let plot;
function draw() {
  plot?.destroy();
  const axis = { stroke: colour("--muted"), font: `13px ${getComputedStyle(place).fontFamily}`, ticks: { show: false } };
  plot = new uPlot({
    width: place.clientWidth,
    height: 232,
    padding: [12, 96, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: false } },
    axes: [
      { ...axis, grid: { show: false }, size: 28, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500] },
      { ...axis, grid: { stroke: colour("--line"), width: 1 }, size: 54, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 1000000], values: (_, values) => values.map(signed) },
    ],
    series: [{}, ...data.names.map((label, number) => {
      const [name, dash, width] = style(number);
      return { label, stroke: colour(name), dash, width, points: { show: false } };
    })],
    hooks: { draw: [ends] },
  }, [data.hands, ...data.lines], place);
}

if (data) {
  draw();
  new ResizeObserver(() => { if (plot.width !== place.clientWidth) plot.setSize({ width: place.clientWidth, height: 232 }); }).observe(place);
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
