import { mediaMaxBytes } from '../../app/media/fetch.ts'
import type { MediaExtractor } from '../../domain/pages/media.ts'
import { findExtractor, mediaExtractor } from '../../extractor/index.ts'
import { systemClock } from '../clock.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import type { Outbound } from './outbound.ts'
import { wallsOf } from './sandbox.ts'

/**
 * The program that finds the media of hosts with their own players, if it is enabled and installed; otherwise null. Throws
 * `ConfigError` when the operator named a program that does not exist.
 */
export function extractorOf(config: Pick<Config, 'TRAWL_MEDIA_EXTRACTOR' | 'TRAWL_DATA_DIR'>, { ways, own }: Pick<Outbound, 'ways' | 'own'>): MediaExtractor | null {
  const program = extractorPath(config)
  const walls = wallsOf(config)
  return program === null ? null : mediaExtractor({ program, start: async (order) => (await walls()).startConnected(order), ways, own, now: systemClock.now, maxBytes: mediaMaxBytes })
}

/** The path of that program; null when there is none. Throws `ConfigError`. */
export function extractorPath({ TRAWL_MEDIA_EXTRACTOR }: Pick<Config, 'TRAWL_MEDIA_EXTRACTOR'>): string | null {
  const program = findExtractor(TRAWL_MEDIA_EXTRACTOR)
  if (program === null && TRAWL_MEDIA_EXTRACTOR !== 'auto' && TRAWL_MEDIA_EXTRACTOR !== 'off') throw new ConfigError('TRAWL_MEDIA_EXTRACTOR: there is no such program.')
  return program
}
