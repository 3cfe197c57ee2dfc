import type { ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { endUnread } from './ends.ts'

/** A response that may be left unread for a second; `look` fires its timer at that time, and `cut` says whether it was ended. */
function unread() {
  let [now, look, cut] = [0, (): void => undefined, false]
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const waits: number[] = []
  const response = {
    writableLength: 1,
    setTimeout: (ms: number, listener?: () => void) => {
      waits.push(ms)
      look = listener ?? look
    },
    destroy: () => void (cut = true),
  }
  endUnread(response as unknown as ServerResponse, 1_000) // what is called of it
  const looks = (...times: readonly number[]): readonly boolean[] =>
    times.map((ms) => {
      now = ms
      look()
      return cut
    })
  return { response, looks, waits }
}

it('a response is ended at the fourth look in a row at which something waits for its client', () => {
  const { looks, waits } = unread()
  expect(looks(250, 500, 750, 1_000)).toEqual([false, false, false, true])
  expect(waits).toEqual([250, 250, 250, 250])
})

it('a look that comes late, as something was taken before it, begins anew', () => {
  // Node looks a whole interval after the last bytes were taken.
  expect(unread().looks(250, 500, 750, 1_250, 1_500, 1_750, 2_000)).toEqual([false, false, false, false, false, false, true])
})

it('a response that has nothing to send is not ended, and has its whole time once it has something', () => {
  const { response, looks } = unread()
  response.writableLength = 0
  expect(looks(250, 500, 750, 1_000, 1_250)).toEqual([false, false, false, false, false])
  response.writableLength = 1
  expect(looks(1_500, 1_750, 2_000, 2_250)).toEqual([false, false, false, true])
})
