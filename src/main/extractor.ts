import { mediaMaxBytes } from '../app/media/fetch.ts'
import type { MediaExtractor } from '../domain/media.ts'
import { findExtractor, mediaExtractor } from '../extractor/index.ts'
import { type Config, ConfigError } from './config.ts'
import type { Outbound } from './outbound.ts'
import { wallsOf } from './sandbox.ts'

/** The program that finds media of hosts with players of their own, where it is wanted and there. Throws `ConfigError` where the operator named one that is not. */
export function extractorOf(config: Pick<Config, 'TRAWL_MEDIA_EXTRACTOR' | 'TRAWL_DATA_DIR'>, { ways, own }: Pick<Outbound, 'ways' | 'own'>): MediaExtractor | null {
  const program = extractorPath(config)
  const walls = wallsOf(config)
  return program === null ? null : mediaExtractor({ program, start: async (order) => (await walls()).startConnected(order), ways, own, now: Date.now, maxBytes: mediaMaxBytes })
}

/** Where that program is; null where there is none. Throws `ConfigError`. */
export function extractorPath({ TRAWL_MEDIA_EXTRACTOR }: Pick<Config, 'TRAWL_MEDIA_EXTRACTOR'>): string | null {
  const program = findExtractor(TRAWL_MEDIA_EXTRACTOR)
  if (program === null && TRAWL_MEDIA_EXTRACTOR !== 'auto' && TRAWL_MEDIA_EXTRACTOR !== 'off') throw new ConfigError('TRAWL_MEDIA_EXTRACTOR: there is no such program.')
  return program
}
