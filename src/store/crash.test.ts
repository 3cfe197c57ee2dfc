import { describe, expect, it } from 'vitest'
import { crashPoint } from './crash.ts'

describe('a crash point', () => {
  it('counts from the first started job: commits before it may be combined, and end nothing', () => {
    const point = crashPoint(2)
    point.committed('outbox.attempted')
    point.committed('jobs.settle')
    expect([point.counts(['jobs.settle', 'jobs.beat']), point.counts(['jobs.settle', 'jobs.create'])]).toEqual([false, true])
    point.committed('jobs.create')
    expect(point.counts(['jobs.settle'])).toBe(true)
  })
})
