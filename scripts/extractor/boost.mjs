/**
 * Gradient-boosted regression trees for probabilities (log loss), over binned columns. The same data and seed give the
 * same trees.
 */

export const maxBins = 64

/** A pseudo-random generator of numbers between 0 and 1 (mulberry32). */
export function chance(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * The edges that divide a column into bins of about equal size: a value belongs to the first bin whose edge is not
 * below it.
 */
export function edgesOf(sample) {
  const sorted = Float32Array.from(sample).sort()
  const edges = []
  const distinct = []
  for (const value of sorted) if (distinct.length === 0 || value !== distinct[distinct.length - 1]) distinct.push(value)
  if (distinct.length <= maxBins) for (let i = 0; i + 1 < distinct.length; i++) edges.push(Math.fround((distinct[i] + distinct[i + 1]) / 2))
  else {
    for (let i = 1; i < maxBins; i++) {
      const edge = sorted[Math.floor((i * sorted.length) / maxBins)]
      if (edge !== edges[edges.length - 1] && edge !== sorted[sorted.length - 1]) edges.push(edge)
    }
  }
  return Float32Array.from(new Set(edges))
}

/** The bin of each value. */
export function binned(values, edges) {
  const bins = new Uint8Array(values.length)
  for (let i = 0; i < values.length; i++) bins[i] = binOf(values[i], edges)
  return bins
}

function binOf(value, edges) {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= edges[middle]) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Trains trees on rows: `columns[f]` holds bins, `truth` and `weight` a number per row. `groups` is the page of each
 * row: each tree leaves out a share of the pages and of the columns.
 */
export function boost({ columns, truth, weight, groups }, options) {
  const { trees: count, leaves, rate, seed, pageShare, columnShare, minWeight, lambda } = options
  const random = chance(seed)
  const rows = truth.length
  const scores = new Float64Array(rows)
  let right = 0
  let all = 0
  for (let i = 0; i < rows; i++) {
    right += truth[i] * weight[i]
    all += weight[i]
  }
  const base = Math.fround(Math.log(right / (all - right)))
  scores.fill(base)
  const pagesCount = groups.reduce((most, group) => Math.max(most, group), 0) + 1
  const gradients = new Float64Array(rows)
  const curves = new Float64Array(rows)
  const useful = columns.map((_, f) => f).filter((f) => columns[f].some((bin) => bin !== columns[f][0]))
  const grown = []
  for (let t = 0; t < count; t++) {
    const inTree = Uint8Array.from({ length: pagesCount }, () => Number(random() < pageShare))
    const index = new Int32Array(rows)
    let size = 0
    for (let i = 0; i < rows; i++) {
      const p = 1 / (1 + Math.exp(-scores[i]))
      gradients[i] = weight[i] * (p - truth[i])
      curves[i] = weight[i] * Math.max(p * (1 - p), 1e-6)
      if (weight[i] > 0 && inTree[groups[i]] === 1) index[size++] = i
    }
    const chosen = useful.filter(() => random() < columnShare)
    const { tree, ends } = grow({ columns, chosen, gradients, curves, index: index.subarray(0, size) }, { leaves, minWeight, lambda, rate })
    for (const { index: own, node } of ends) for (const i of own) scores[i] += tree[node].value
    for (let i = 0; i < rows; i++) if (weight[i] === 0 || inTree[groups[i]] === 0) scores[i] += walk(tree, columns, i)
    grown.push(tree)
    if (options.tell && (t + 1) % 20 === 0) options.tell(t + 1)
  }
  return { base, trees: grown }
}

function walk(tree, columns, row) {
  let node = 0
  while (tree[node].feature >= 0) node = columns[tree[node].feature][row] <= tree[node].bin ? tree[node].left : tree[node].right
  return tree[node].value
}

/** The predictions of a forest for binned columns, as probabilities. */
export function predict({ base, trees }, columns, rows) {
  const out = new Float32Array(rows)
  const sums = new Float64Array(rows).fill(base)
  for (const tree of trees) for (let i = 0; i < rows; i++) sums[i] += walk(tree, columns, i)
  for (let i = 0; i < rows; i++) out[i] = 1 / (1 + Math.exp(-sums[i]))
  return out
}

/** Grows a tree, splitting the leaf with the largest gain first; returns it with its leaves and their rows. */
function grow(data, limits) {
  const tree = []
  const root = leafOf(data, data.index, undefined)
  tree.push({ feature: -1, value: 0 })
  root.node = 0
  root.split = bestSplit(root, data, limits)
  const open = [root]
  for (let count = 1; count < limits.leaves; count++) {
    let best
    for (const leaf of open) if (leaf.split && (!best || leaf.split.gain > best.split.gain)) best = leaf
    if (!best) break
    open.splice(open.indexOf(best), 1)
    const [left, right] = divide(best, data)
    left.node = tree.length
    right.node = tree.length + 1
    tree.push({ feature: -1, value: 0 }, { feature: -1, value: 0 })
    tree[best.node] = { feature: best.split.feature, bin: best.split.bin, left: left.node, right: right.node }
    best.histograms = undefined
    for (const leaf of [left, right]) {
      leaf.split = bestSplit(leaf, data, limits)
      open.push(leaf)
    }
  }
  for (const leaf of open) tree[leaf.node].value = (-limits.rate * leaf.gradient) / (leaf.curve + limits.lambda)
  return { tree, ends: open }
}

function leafOf(data, index, histograms) {
  let gradient = 0
  let curve = 0
  for (const i of index) {
    gradient += data.gradients[i]
    curve += data.curves[i]
  }
  return { index, gradient, curve, histograms: histograms ?? histogramsOf(data, index) }
}

const stride = maxBins * 2

function histogramsOf({ columns, chosen, gradients, curves }, index) {
  const size = index.length
  const g = new Float64Array(size)
  const h = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    g[i] = gradients[index[i]]
    h[i] = curves[index[i]]
  }
  const all = new Float64Array(chosen.length * stride)
  for (let c = 0; c < chosen.length; c++) {
    const column = columns[chosen[c]]
    const one = all.subarray(c * stride, (c + 1) * stride)
    for (let i = 0; i < size; i++) {
      const at = column[index[i]] << 1
      one[at] += g[i]
      one[at + 1] += h[i]
    }
  }
  return all
}

function bestSplit(leaf, { chosen }, { minWeight, lambda }) {
  let best
  const own = (leaf.gradient * leaf.gradient) / (leaf.curve + lambda)
  for (let c = 0; c < chosen.length; c++) {
    const from = c * stride
    let g = 0
    let h = 0
    for (let bin = 0; bin < maxBins - 1; bin++) {
      const more = leaf.histograms[from + bin * 2 + 1]
      if (more === 0) continue
      g += leaf.histograms[from + bin * 2]
      h += more
      const rest = leaf.curve - h
      if (h < minWeight) continue
      if (rest < minWeight) break
      const other = leaf.gradient - g
      const gain = (g * g) / (h + lambda) + (other * other) / (rest + lambda) - own
      if (gain > 1e-3 && (!best || gain > best.gain)) best = { gain, feature: chosen[c], bin }
    }
  }
  return best
}

/** Counts the histogram of the smaller half; the larger half is the difference to the whole. */
function divide({ index, split, histograms }, data) {
  const column = data.columns[split.feature]
  let low = 0
  for (const i of index) if (column[i] <= split.bin) low++
  const left = new Int32Array(low)
  const right = new Int32Array(index.length - low)
  let l = 0
  let r = 0
  for (const i of index) {
    if (column[i] <= split.bin) left[l++] = i
    else right[r++] = i
  }
  const small = left.length <= right.length ? left : right
  const counted = histogramsOf(data, small)
  const rest = histograms
  for (let i = 0; i < rest.length; i++) rest[i] -= counted[i]
  return small === left ? [leafOf(data, left, counted), leafOf(data, right, rest)] : [leafOf(data, left, rest), leafOf(data, right, counted)]
}

/** Encodes a forest in the format that the service reads (`forest.ts`). */
export function encode({ base, trees }, edges) {
  const used = new Set(trees.flatMap((tree) => tree.filter((node) => node.feature >= 0).map((node) => node.feature)))
  const most = trees.reduce((max, tree) => tree.reduce((m, node) => (node.feature < 0 ? Math.max(m, Math.abs(node.value)) : m), max), 1e-9)
  const scale = Math.fround(most / 32767)
  const bytes = []
  const push = (size, write) => {
    const part = Buffer.alloc(size)
    write(part)
    bytes.push(part)
  }
  push(12, (b) => {
    b.writeFloatLE(base, 0)
    b.writeFloatLE(scale, 4)
    b.writeUInt16LE(trees.length, 8)
    b.writeUInt16LE(edges.length, 10)
  })
  edges.forEach((list, f) => {
    const kept = used.has(f) ? list : []
    push(1 + 4 * kept.length, (b) => {
      b.writeUInt8(kept.length, 0)
      kept.forEach((edge, i) => b.writeFloatLE(edge, 1 + 4 * i))
    })
  })
  for (const tree of trees) {
    const visit = (node) => {
      const { feature, bin, left, right, value } = tree[node]
      if (feature < 0) {
        push(4, (b) => {
          b.writeUInt16LE(0xffff, 0)
          b.writeInt16LE(Math.max(-32768, Math.min(32767, Math.round(value / scale))), 2)
        })
        return
      }
      push(3, (b) => {
        b.writeUInt16LE(feature, 0)
        b.writeUInt8(bin, 2)
      })
      visit(left)
      visit(right)
    }
    visit(0)
  }
  return Buffer.concat(bytes)
}
