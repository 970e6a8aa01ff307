// One decode as the view needs it: sizes, shown tokens, the three attentions, and sums along the steps.

/** What the view asks of one decode: sizes, shown tokens, the three attentions, and sums along the steps. */
function makeTrace({ header, arrays }) {
  const steps = header.output_tokens.length, positions = header.source_tokens.length;
  const source = header.source_tokens.map(visible), output = header.output_tokens.map(visible);
  const totals = [];
  arrays.log_probs.reduce((sum, value, t) => (totals[t] = sum + value), 0);
  const planes = makePlanes(header, arrays, source, output);
  return {
    ...header, ...arrays, steps, positions, source, output, totals, planes,
    // The source token that each step reads most: the row of the encoder that a step is about.
    reads: output.map((_, t) => Math.max(0, peakOf(planes.cross.matrix(planes.cross.layers - 1, null), t, positions))),
    longest: Math.max(steps, positions),
    written: header.written.map((text) => tail(visible(text).replaceAll("␣", " "), 60)),
    probability(t) { return arrays.candidate_probs[t * arrays.candidate_probs.shape[1] + header.chosen[t]]; },
    perplexity(t) { return Math.exp(-totals[t] / (t + 1)); },
    isForced(t) { return header.forced[t] === true; },
  };
}

/**
 * The three attentions as planes of one kind: who reads (rows), who is read (columns), and which chips those are.
 * A row of the decoder reads the input of its step and writes the output. In its self-attention column j is the input
 * of step j, so it stands for the output chip before.
 */
function makePlanes(header, arrays, source, output) {
  const input = [visible(header.bos), ...output.slice(0, -1)];
  return {
    encoder: makePlane(arrays.encoder_weights, {
      title: "Encoder self-attention", stack: "encoder", site: header.sites.encoder, rows: source, columns: source,
      rowSide: "source", columnSide: "source", rowWords: "the source tokens that read", columnWords: "those that are read",
      note: "The encoder reads the whole source at once, so every row is there from the first step on.",
    }),
    self: makePlane(arrays.self_weights, {
      title: "Decoder self-attention", stack: "decoder", site: header.sites.self, rows: input, writes: output, columns: input,
      rowSide: "target", columnSide: "target", shift: 1, causal: header.causal,
      rowWords: "each step by what it reads", columnWords: "the same tokens as keys",
      note: header.causal ? "Hatched cells are masked: a step reads only what has been written before it." : "",
    }),
    cross: makePlane(arrays.weights, {
      title: "Cross-attention", stack: "decoder", site: header.sites.cross, rows: input, writes: output, columns: source,
      rowSide: "target", columnSide: "source", rowWords: "each step by what it reads", columnWords: "the source tokens",
    }),
  };
}

function makePlane(weights, plane) {
  const [layers, heads, height, width] = weights.shape, size = height * width, means = [];
  const shift = plane.shift ?? 0;
  return {
    ...plane, layers, heads, height, width, longest: Math.max(height, width),
    byStep: plane.rowSide === "target",   // its rows appear one after the other
    /** A row at the beginning of a sentence, and where there is room. */
    rowName: (row) => (plane.writes ? `Step ${row} (→ ${clip(plane.writes[row], 24)})` : plane.rows[row]),
    rowHeading: (row) => (plane.writes ? `reads ${clip(plane.rows[row], 24)} → writes ${clip(plane.writes[row], 24)}` : clip(plane.rows[row], 24)),
    masked: (row, column) => plane.causal === true && column > row,
    columnOf: (chip) => (chip + shift < width ? chip + shift : undefined),
    chipOf: (column) => column - shift,   // −1 for BOS, which has no chip
    matrix(layer, head) {
      if (head !== null) return weights.subarray((layer * heads + head) * size, (layer * heads + head + 1) * size);
      return (means[layer] ??= meanOf(weights.subarray(layer * heads * size, (layer + 1) * heads * size), heads));
    },
  };
}

function meanOf(weights, heads) {
  const size = weights.length / heads, mean = new Float32Array(size);
  for (let i = 0; i < weights.length; i++) mean[i % size] += weights[i];
  return mean.map((sum) => sum / heads);
}

/** Column of the largest weight in a row; −1 when the row holds no number. */
function peakOf(matrix, row, columns) {
  let best = -1;
  for (let j = 0; j < columns; j++) {
    const value = matrix[row * columns + j];
    if (!Number.isNaN(value) && (best < 0 || value > matrix[row * columns + best])) best = j;
  }
  return best;
}
function headName(head, heads) { return head === null ? `mean of ${plural(heads, "head")}` : `head ${head}`; }
