import { describe, expect, it } from 'vitest'
import type { Admission } from '../app/admission.ts'
import { counter, histogram, observed } from './exposition.ts'
import { processMetrics } from './metrics.ts'

describe('the exposition format', () => {
  it('counts per set of labels and escapes what would end a label', () => {
    const seen = counter('seen_total', 'Seen\nso far.')
    seen.add({ a: 'x', b: 200 })
    seen.add({ a: 'x', b: 200 })
    seen.add({ a: 'q"\\\n', b: 200 })
    expect(seen.text()).toBe('# HELP seen_total Seen\\nso far.\n# TYPE seen_total counter\nseen_total{a="x",b="200"} 2\nseen_total{a="q\\"\\\\\\n",b="200"} 1')
  })

  it('adds histogram buckets up, bounds included', () => {
    const took = histogram('took_seconds', 'Time.', [0.1, 1])
    for (const value of [0.1, 0.25, 0.25, 7]) took.observe({ route: '/a' }, value)
    expect(took.text().split('\n')).toEqual([
      '# HELP took_seconds Time.',
      '# TYPE took_seconds histogram',
      'took_seconds_bucket{route="/a",le="0.1"} 1',
      'took_seconds_bucket{route="/a",le="1"} 3',
      'took_seconds_bucket{route="/a",le="+Inf"} 4',
      'took_seconds_sum{route="/a"} 7.6',
      'took_seconds_count{route="/a"} 4',
    ])
  })

  it('reads a value when it is asked for', () => {
    let value = 1
    const gauge = observed('level', 'gauge', 'Level.', () => value)
    value = 2
    expect(gauge.text()).toBe('# HELP level Level.\n# TYPE level gauge\nlevel 2')
  })
})

describe('the metrics of a process', () => {
  it('says what was answered, what runs and since when', async () => {
    const load: Admission['load'] = () => ({ running: 3, waiting: 4 })
    const metrics = processMetrics(() => ({ enter: () => Promise.reject(new Error('unused')), load }), 1_500)
    metrics.request('/v2/scrape', 'POST', 200, 30)
    const lines = (await metrics.text()).split('\n')
    for (const line of [
      'trawl_http_requests_total{route="/v2/scrape",method="POST",status="200"} 1',
      'trawl_http_request_seconds_bucket{route="/v2/scrape",le="0.025"} 0',
      'trawl_http_request_seconds_bucket{route="/v2/scrape",le="0.05"} 1',
      'trawl_http_request_seconds_sum{route="/v2/scrape"} 0.03',
      'trawl_scrapes_running 3',
      'trawl_scrapes_waiting 4',
      'process_start_time_seconds 1.5',
    ]) expect(lines).toContain(line)
    expect(lines.at(-1)).toBe('')
    expect(lines.filter((line) => line.startsWith('# TYPE'))).toHaveLength(7)
  })
})
