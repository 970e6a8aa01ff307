// Where everything stands: one column per stack, from the tokens at the bottom to what comes out at the top.

const HEIGHTS = {
  wide: { tokens: 32, embedding: 36, sum: 20, norm: 24, add: 24, "feed-forward": 40, linear: 32, softmax: 32, token: 44, folded: 44 },
  phone: { tokens: 44, embedding: 44, sum: 24, norm: 44, add: 44, "feed-forward": 44, linear: 44, softmax: 44, token: 48, folded: 48 },
};
const PIXEL = 2.7, MOST_ROWS_HEIGHT = 40, SHORT = 21, SPLIT = 26, BRANCH = 10, PAD = 12, CAPTION = 34, LEGEND = 250;
const PICTURE_WIDTH = 32 * PIXEL;

/** Width and height of a preview on an edge: 2.7 px a value, lower rows only where there are very many. */
function previewSize(preview) {
  const [rows, columns] = preview.shape;
  return { width: columns * PIXEL, height: Math.max(3, Math.min(rows * PIXEL, MOST_ROWS_HEIGHT)) };
}

/** What is drawn of a stack: its blocks, but one box for each folded layer. */
function drawnNodes(map, stack, unfolded) {
  const nodes = [];
  for (const block of map.blocks) {
    if (block.stack !== stack || block.kind === "positions") continue;
    const folded = block.layer !== null && block.layer !== unfolded[stack];
    if (!folded) nodes.push({ id: block.id, kind: block.kind, block, layer: block.layer });
    else if (nodes.at(-1)?.id !== layerId(stack, block.layer)) {
      nodes.push({ id: layerId(stack, block.layer), kind: "folded", block: null, layer: block.layer });
    }
  }
  return nodes.map((node) => ({ ...node, stack }));
}
function layerId(stack, layer) { return `${stack}.layers.${layer}`; }

/** How the heads of an attention block stand: in one row if they are not too small in it, else in equal rows. */
function headGrid(count, width) {
  const gap = count <= 4 ? 8 : 4, room = width - 24 + gap;
  const rows = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(room / (18 + gap)))));
  const perRow = Math.ceil(count / rows);
  return { side: Math.min(30, Math.floor(room / perRow) - gap), gap, perRow, rows };
}

/**
 * Boxes by id, frames of unfolded layers, and the size of the whole picture.
 *
 * In two columns both stacks stand on one line. On a phone the decoder stands above the encoder.
 */
function layOut(map, { unfolded, width, phone, compact }) {
  const heights = HEIGHTS[phone ? "phone" : "wide"];
  const block = phone ? Math.min(260, width - 40 - 38) : Math.max(168, Math.min(222, (width - 246) / 2));
  const left = phone ? (width - block) / 2 + 2 : Math.max(40, (width - 2 * block - 122) / 2);
  const xs = { encoder: left, decoder: phone ? left : left + block + 122 };
  const lane = phone ? left - 26 : xs.decoder - 61;
  const boxes = new Map(), frames = [], columns = {};
  const edgeFrom = (id) => map.edges.find((edge) => nodeOf(edge.start, id) && edge.kind !== "residual" && !nodeOf(edge.end, id));
  const nodeOf = (blockId, id) => blockId === id || blockId.startsWith(`${id}.`);

  function heightOf(node) {
    if (node.kind === "value") return Math.max(phone ? 30 : 18, previewSize(edgeFrom(node.id).preview).height);
    if (node.kind !== "attention") return heights[node.kind];
    const grid = headGrid(node.block.heads?.shape[0] ?? 0, block);
    return 33 + grid.rows * (grid.side + 4);
  }
  /** Heights from 0 upwards, measured from the bottom of the stack. */
  function column(stack) {
    const nodes = drawnNodes(map, stack, unfolded), placed = [];
    let y = CAPTION, frame = null;
    nodes.forEach((node, i) => {
      const below = nodes[i - 1], edge = below && edgeFrom(below.id);
      if (below) {
        if (frame && frame.layer !== node.layer) {
          y += PAD;
          frame.top = y;
          frame = null;
          // In a narrow figure the layer's name would meet the shape beside it.
          if (block < 200) y += 16;
        }
        placed.at(-1).exit = y;
        y += edge?.preview && below.kind !== "value" ? previewSize(edge.preview).height + 18 : compact && below.kind !== "folded" ? 16 : SHORT;
        if (node.block && node.layer !== null && !frame) {
          frame = { stack, layer: node.layer, bottom: y };
          frames.push(frame);
          y += PAD;
        }
        node.branch = y + BRANCH / 2;
        if (node.kind === "attention" || node.kind === "feed-forward" || node.kind === "norm") y += below.kind === "norm" ? 0 : BRANCH;
        if (node.kind === "attention") y += SPLIT;
      }
      const height = heightOf(node);
      placed.push({ ...node, bottom: y, height });
      y += height;
    });
    return { placed, height: y };
  }
  for (const stack of ["encoder", "decoder"]) columns[stack] = column(stack);
  const memoryRoom = 34;
  const legend = phone || compact ? 0 : LEGEND;
  const both = Math.max(columns.decoder.height + 4, columns.encoder.height + memoryRoom + legend);
  const base = phone
    ? { decoder: columns.decoder.height + 4, encoder: columns.decoder.height + columns.encoder.height + memoryRoom + 12 }
    : { decoder: both, encoder: both };
  for (const stack of ["encoder", "decoder"]) for (const node of columns[stack].placed) {
    const small = node.kind === "sum", size = previewWidth(node);
    const x = xs[stack] + (small || size ? (block - (small ? node.height : size)) / 2 : 0);
    boxes.set(node.id, {
      ...node, x, y: base[stack] - node.bottom - node.height, exit: base[stack] - node.exit, branch: base[stack] - node.branch, width: small ? node.height : size || block,
      center: xs[stack] + block / 2,
    });
  }
  function previewWidth(node) { return node.kind === "value" ? previewSize(edgeFrom(node.id).preview).width : 0; }
  for (const positions of map.blocks.filter((each) => each.kind === "positions")) {
    const edge = map.edges.find((each) => each.start === positions.id), sum = boxes.get(edge.end), size = previewSize(edge.preview);
    const width = size.width * 0.78, height = size.height * 0.78, right = phone || positions.stack === "decoder";
    boxes.set(positions.id, {
      id: positions.id, kind: "positions", block: positions, layer: null, stack: positions.stack, center: sum.center, right,
      x: right ? sum.center + 44 : sum.center - 44 - width, y: sum.y + (sum.height - height) / 2, width, height,
    });
  }
  const outline = frames.map((frame) => ({
    ...frame, x: xs[frame.stack] - (phone ? 34 : 48), width: block + (phone ? 68 : 96), y: base[frame.stack] - frame.top, height: frame.top - frame.bottom,
  }));
  const height = Math.max(base.encoder, base.decoder) + 4;
  return { boxes, frames: outline, lane, width, height, block, base, xs, phone, compact, heights };
}
