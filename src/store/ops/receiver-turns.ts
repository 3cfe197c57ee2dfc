/** A receiver whose turn it is. */
export interface ReceiverTurn {
  readonly receiver: string
  /** Deliveries under way to it. */
  readonly underWay: number
  /** Counts further deliveries under way; call it before the next turn. */
  count(more: number): void
}

interface Counter {
  count: number
}

/** A receiver as jobs name it: its team and host. */
const hostIn = /^(\S*) [^/]*\/\/[^/]*/

/**
 * Orders receivers fairly: first those with the fewest deliveries under way for their team, to their host, to themselves. A receiver that
 * never answers thus holds up only its own, even if each job has another address there.
 */
export function* receiverTurns(receivers: readonly string[], sent: ReadonlyMap<string, number>): Generator<ReceiverTurn, void, void> {
  const counters = new Map<string, Counter>()
  const counterOf = (name: string): Counter => {
    const counter = counters.get(name) ?? { count: 0 }
    counters.set(name, counter)
    return counter
  }
  const placeOf = (receiver: string) => {
    const [host = '', team = ''] = hostIn.exec(receiver) ?? []
    return { team: counterOf(`team ${team}`), host: counterOf(`host ${host}`), own: counterOf(`receiver ${receiver}`) }
  }
  type Place = ReturnType<typeof placeOf>
  const count = ({ team, host, own }: Place, more: number): void => [team, host, own].forEach((counter) => (counter.count += more))
  for (const [receiver, underWay] of sent) count(placeOf(receiver), underWay)

  const rest = receivers.map((receiver, at) => ({ receiver, at, ...placeOf(receiver) }))
  type Waiting = (typeof rest)[number]
  const isBefore = (a: Waiting, b: Waiting): boolean => (a.team.count - b.team.count || a.host.count - b.host.count || a.own.count - b.own.count || a.at - b.at) < 0
  for (;;) {
    // Computed each time: one more delivery changes the order of its whole team.
    const next = rest.reduce<Waiting | undefined>((first, one) => (first === undefined || isBefore(one, first) ? one : first), undefined)
    if (next === undefined) return
    rest.splice(rest.indexOf(next), 1)
    yield { receiver: next.receiver, underWay: next.own.count, count: (more) => count(next, more) }
  }
}
