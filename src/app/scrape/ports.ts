import type { Capability } from '../../domain/pages/capture.ts'
import type { Compute, Packed } from '../../domain/pages/derivation.ts'
import type { DocumentParser } from '../../domain/pages/document.ts'
import type { Model } from '../../domain/model.ts'
import type { PdfParser } from '../../domain/pages/pdf.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Lessons } from '../../domain/fetching/engine-memory.ts'
import type { Profiles } from '../../domain/sessions/profiles.ts'
import type { ProxyTier, Upstream } from '../../domain/fetching/proxies.ts'
import type { Versions } from '../../domain/pages/versions.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import type { Learning } from '../meaning/asking.ts'
import type { Acquired, AcquirePorts } from './acquire.ts'
import type { Walls } from './walls.ts'

/** What fetching and reading need. */
export interface PagePorts extends AcquirePorts {
  readonly compute: Compute
  readonly pdf: PdfParser
  readonly documents: DocumentParser
  readonly features: ReadonlySet<Capability>
  /** Names the text recognition of the parsers; null without any. */
  readonly ocr?: string | null
  /** The language model of the settings, where there is one. */
  readonly model?: Model | null
  readonly analyse: Analyse
  /** What was learned from models' answers; null if nothing should be. */
  readonly learned?: Pick<Learning, 'templates' | 'turns'> | null
  /** What was learned about hosts; null if nothing should be remembered. */
  readonly lessons: Lessons | null
  /** What is known of walls before pages of jobs; absent if nothing should be. */
  readonly walls?: Walls
  /** Versions of tracked pages; absent where nothing is tracked. */
  readonly versions?: Versions
  readonly blobs?: Pick<Blobs, 'get'>
  /** The configured proxies; an empty list is no pool. */
  readonly pools: Readonly<Record<ProxyTier, readonly Pick<Upstream, 'country'>[]>>
  /** Holds the extra cost of the enhanced tier; false if the credits do not cover it. */
  readonly afford?: () => Promise<boolean>
  /** Where profiles are kept; absent where there are none. */
  readonly profiles?: Profiles
  /** Takes background work, which is finished before the process stops. */
  readonly background: (work: Promise<unknown>) => void
}

/** A fetched page, and what was made of it. */
export interface Collected {
  readonly acquired: Acquired
  readonly page: Packed
}
