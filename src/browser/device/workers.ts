/** The identity that workers must report. */
export interface WorkerTerms {
  readonly userAgent: string
  readonly languages: readonly string[]
  readonly platform: string
  readonly cores: number | undefined
}

/**
 * A script for a worker that sets what the protocol cannot set there: the platform and, in shared workers, the user agent.
 */
export function workerScript({ userAgent, languages, platform, cores }: WorkerTerms): string {
  return `(() => {
    const native = (name, f) => Object.defineProperty(f.bind(undefined), 'name', { value: 'get ' + name })
    const languages = Object.freeze(${JSON.stringify(languages)})
    const answers = { userAgent: ${JSON.stringify(userAgent)}, appVersion: ${JSON.stringify(userAgent.replace(/^Mozilla\//, ''))}, languages, language: languages[0], platform: ${JSON.stringify(platform)}${cores === undefined ? '' : `, hardwareConcurrency: ${cores}`} }
    for (const [name, value] of Object.entries(answers)) {
      if (String(navigator[name]) !== String(value)) Object.defineProperty(WorkerNavigator.prototype, name, { get: native(name, () => value), enumerable: true, configurable: true })
    }
  })()`
}
