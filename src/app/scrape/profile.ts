import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { profileBytes, type ProfileLease, type Profiles } from '../../domain/sessions/profiles.ts'
import type { Acquired } from './acquire.ts'
import type { Plan } from './plan.ts'

/** What to fetch with the state of a profile. */
interface Visit<T> {
  readonly plan: Plan
  readonly work: (plan: Plan) => Promise<T>
}

const unsaved = {
  lost: 'The profile was not saved: this process lost the right to write it meanwhile.',
  'too-large': `The profile was not saved: it would be larger than ${profileBytes / 1024 ** 2} MB.`,
  full: 'The profile was not saved: with it the team would keep more than it may; delete another.',
  missing: 'The profile was not saved: what the browser remembers could not be taken in time.',
} as const

/** A page that came home, whatever else is known of it. */
interface Home {
  readonly acquired: Acquired
}

/** A warning if the browser's state could not be saved; none if all went well. */
async function saved(lease: ProfileLease, { acquired: { capture } }: Home): Promise<readonly string[]> {
  const { state = null, warnings = [] } = capture.remembered ?? {}
  if (state === null) return warnings.length > 0 ? warnings : [unsaved.missing]
  const outcome = await lease.save(state)
  return outcome === 'saved' ? warnings : [...warnings, unsaved[outcome]]
}

function warned<T extends Home>(collected: T, warnings: readonly string[]): T {
  return warnings.length === 0 ? collected : { ...collected, acquired: { ...collected.acquired, warnings: [...collected.acquired.warnings, ...warnings] } }
}

async function written<T extends Home>({ plan, work }: Visit<T>, profiles: Profiles, call: Call): Promise<T> {
  const lease = await profiles.lock(call.team, plan.request.profile?.name ?? '')
  if (lease === null) throw new ServiceError('PROFILE_LOCKED', undefined, { retryAfterSeconds: 5 })
  try {
    call.signal.throwIfAborted()
    const collected = await work({ ...plan, order: { ...plan.order, profile: { state: lease.state, save: true } } })
    return warned(collected, await saved(lease, collected))
  } finally {
    await lease.release().catch((error: unknown) => call.log('profile-release-failed', { reason: String(error) }))
  }
}

/**
 * Does the work with the saved state of the request's profile, if it names one, and saves the new state. Throws `PROFILE_LOCKED` if another
 * writes the profile, `PROFILE_QUOTA_EXCEEDED` if it is new and the team has no room for it.
 */
export async function withProfile<T extends Home>(visit: Visit<T>, profiles: Profiles | undefined, call: Call): Promise<T> {
  const { plan, work } = visit
  const { profile } = plan.request
  if (profile === undefined) return work(plan)
  // Without profiles the plan has refused the request.
  if (profiles === undefined) throw new ServiceError('FEATURE_NOT_CONFIGURED')
  if (profile.saveChanges) return written(visit, profiles, call)
  const read = await work({ ...plan, order: { ...plan.order, profile: { state: await profiles.load(call.team, profile.name), save: false } } })
  return warned(read, read.acquired.capture.remembered?.warnings ?? [])
}
