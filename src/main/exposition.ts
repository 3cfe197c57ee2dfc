/** Labels of one sample; their order is kept. */
export type Labels = Readonly<Record<string, string | number>>

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value)).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** One metric with its samples, in the Prometheus text format 0.0.4. */
export interface Metric {
  text(): string
}

function metric(name: string, kind: 'counter' | 'gauge' | 'histogram', help: string, samples: () => readonly string[]): Metric {
  return { text: () => [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${kind}`, ...samples()].join('\n') }
}

/** A value that is read when somebody asks. */
export function observed(name: string, kind: 'counter' | 'gauge', help: string, value: () => number): Metric {
  return metric(name, kind, help, () => [`${name} ${value()}`])
}

/** A counter per set of labels. */
export function counter(name: string, help: string): Metric & { add(labels: Labels): void } {
  const counts = new Map<string, number>()
  return {
    ...metric(name, 'counter', help, () => [...counts].map(([labels, count]) => `${name}${labels} ${count}`)),
    add(labels) {
      const text = labelText(labels)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    },
  }
}

interface Series {
  readonly labels: Labels
  /** Observations by bucket; the last holds what exceeds every bound. */
  readonly counts: number[]
  sum: number
}

/** A histogram per set of labels; `bounds` ascend. */
export function histogram(name: string, help: string, bounds: readonly number[]): Metric & { observe(labels: Labels, value: number): void } {
  const all = new Map<string, Series>()
  const lines = ({ labels, counts, sum }: Series): string[] => {
    let total = 0
    const buckets = counts.map((count, i) => `${name}_bucket${labelText({ ...labels, le: bounds[i] ?? '+Inf' })} ${(total += count)}`)
    return [...buckets, `${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${total}`]
  }
  return {
    ...metric(name, 'histogram', help, () => [...all.values()].flatMap(lines)),
    observe(labels, value) {
      const key = labelText(labels)
      const series = all.get(key) ?? { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
      all.set(key, series)
      const at = bounds.findIndex((bound) => value <= bound)
      const bucket = at < 0 ? bounds.length : at
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sum += value
    },
  }
}
