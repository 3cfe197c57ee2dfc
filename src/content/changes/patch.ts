import type { Diff } from '../../domain/pages/versions.ts'
import { aligned, type Run } from './align.ts'
import type { Line } from './lines.ts'

type Chunk = Diff['json']['files'][number]['chunks'][number]
type Change = Chunk['changes'][number]

const context = 3
const names = { from: 'previous', to: 'current' } as const

/** Groups runs into chunks: changes whose context lines would touch. */
function grouped(runs: readonly Run[]): readonly (readonly Run[])[] {
  const groups: Run[][] = []
  let open: Run[] = []
  runs.forEach((run, at) => {
    if (!run.same) return void open.push(run)
    const [first, last] = [at === 0, at === runs.length - 1]
    const size = run.to - run.from
    const head = { ...run, to: Math.min(run.to, run.from + context), to2: Math.min(run.to2, run.from2 + context) }
    const tail = { ...run, from: Math.max(run.from, run.to - context), from2: Math.max(run.from2, run.to2 - context) }
    if (!first && !last && size <= context * 2) return void open.push(run)
    if (!first && open.length > 0) groups.push([...open, head])
    open = last ? [] : [tail]
  })
  if (open.some((run) => !run.same)) groups.push(open)
  return groups
}

/** One side of a chunk header; an empty range is named by the line before it. */
const place = (from: number, to: number): string => `${from === to ? from : from + 1},${to - from}`

function chunkOf(group: readonly Run[], before: readonly Line[], after: readonly Line[]): Chunk {
  const [first, last] = [group[0], group.at(-1)]
  const changes = group.flatMap((run): Change[] => {
    const old = before.slice(run.from, run.to)
    // Lines that differ only in noise are shown as they were, so that the patch applies to the old text.
    if (run.same) return old.map(({ text }, at) => ({ type: 'normal', normal: true, ln1: run.from + at + 1, ln2: run.from2 + at + 1, content: ` ${text}` }))
    return [
      ...old.map(({ text }, at): Change => ({ type: 'del', del: true, ln: run.from + at + 1, content: `-${text}` })),
      ...after.slice(run.from2, run.to2).map(({ text }, at): Change => ({ type: 'add', add: true, ln: run.from2 + at + 1, content: `+${text}` })),
    ]
  })
  return { content: `@@ -${place(first?.from ?? 0, last?.to ?? 0)} +${place(first?.from2 ?? 0, last?.to2 ?? 0)} @@`, changes }
}

/** The difference of two texts, as a unified diff and as chunks of changes. */
export function patchOf(before: readonly Line[], after: readonly Line[]): Diff {
  const runs = aligned(before.map(({ key }) => key), after.map(({ key }) => key))
  const chunks = grouped(runs).map((group) => chunkOf(group, before, after))
  const body = chunks.flatMap(({ content, changes }) => [content, ...changes.map((change) => change.content)])
  return {
    text: [`--- ${names.from}`, `+++ ${names.to}`, ...body].join('\n') + '\n',
    json: { files: [{ ...names, chunks }] },
  }
}
