import { expect, it } from 'vitest'
import type { Admission } from '../app/admission.ts'
import { processMetrics } from './metrics.ts'

it('the metrics of a process say what was answered, what runs and since when', async () => {
  const load: Admission['load'] = () => ({ running: 3, waiting: 4 })
  const metrics = processMetrics(() => ({ enter: () => Promise.reject(new Error('unused')), load }), 1_500)
  metrics.request('/v2/scrape', 'POST', 200, 30)
  const lines = (await metrics.text()).split('\n')
  for (const line of [
    'trawl_http_requests_total{route="/v2/scrape",method="POST",status="200"} 1',
    'trawl_http_request_seconds_bucket{le="0.025",route="/v2/scrape"} 0',
    'trawl_http_request_seconds_bucket{le="0.05",route="/v2/scrape"} 1',
    'trawl_http_request_seconds_sum{route="/v2/scrape"} 0.03',
    'trawl_scrapes_running 3',
    'trawl_scrapes_waiting 4',
    'process_start_time_seconds 1.5',
  ]) expect(lines).toContain(line)
  expect(lines.filter((line) => line.startsWith('# TYPE'))).toHaveLength(7)
})
