import { Command, Option } from 'commander'
import { defaultTeam } from '../domain/teams/accounts.ts'
import { ConfigError, describeConfig, environment, loadConfig } from './settings/config.ts'
import type { DeliveryFilter } from './commands/deliveries.ts'
import type { KeyOptions } from './commands/keys.ts'
import type { TeamOptions } from './commands/teams.ts'
import { version } from './version.ts'

/** One sentence for a failure that the user can fix; for anything else the error with its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return `Port ${'port' in error ? String(error.port) : ''} is in use; choose another with TRAWL_PORT.`
  if (error instanceof Error && 'code' in error && error.code === 'EACCES' && 'syscall' in error && error.syscall === 'listen') return `The port may not be opened by this user; choose another with TRAWL_PORT.`
  return error instanceof Error ? error.message : String(error)
}

const program = new Command('trawl').description('Open, self-hosted web data service.').version(version).showHelpAfterError()

// The reader of a command's output may stop early (`| head`); the command still runs to its end.
program.hook('preAction', (_, command) => {
  if (command.name() === 'serve') return
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    console.error(`What the command prints cannot be written: ${error.message}`)
    process.exit(1)
  })
})

program
  .command('serve')
  .description('run the service in the foreground')
  .option('--roles <roles>', 'all, api, worker (overrides TRAWL_ROLES)')
  .option('--first-run', 'make a first key when there is none, and print it')
  .action(async (options: { roles?: string; firstRun?: boolean }) => {
    const env = { ...environment(), ...(options.roles === undefined ? {} : { TRAWL_ROLES: options.roles }) }
    await (await import('./serve.ts')).serve(loadConfig(env), options.firstRun === true)
  })

program
  .command('scrape <url>')
  .description('print a page as markdown; needs no running service and leaves nothing behind')
  .option('-f, --format <format>', 'markdown, html, rawHtml, links, images', 'markdown')
  .option('--whole-page', 'keep navigation, footer and the like')
  .option('--timeout <ms>', 'milliseconds for the whole scrape', '60000')
  .action(async (url: string, options: { format: string; wholePage?: boolean; timeout: string }) => {
    await (await import('./commands/scrape-once.ts')).scrapeOnce(url, options, loadConfig(environment()))
  })

const budget = new Option('--budget <credits>', 'credits that may be used in a calendar month; or off')

const keys = program.command('keys').description('API keys; works beside a running service')
keys
  .command('create [team]')
  .description('make a key for a team ("default" if none is named; a new one is made) and print it, once')
  .option('-n, --name <name>', 'what the key is for', 'key')
  .action(async (team: string | undefined, options: { name: string }) => (await import('./commands/keys.ts')).create(team ?? defaultTeam, options.name, loadConfig(environment())))
keys
  .command('list')
  .description('list keys, never in full')
  .action(async () => (await import('./commands/keys.ts')).list(loadConfig(environment())))
keys
  .command('revoke <id>')
  .description('revoke a key by its id; it stops working at once')
  .action(async (id: string) => (await import('./commands/keys.ts')).revoke(id, loadConfig(environment())))
keys
  .command('set <id>')
  .description('limit a key')
  .addOption(budget)
  .addOption(new Option('--rate-limits <limits>', 'requests by kind, in place of TRAWL_RATE_LIMITS: scrape=600/min,map=5/s; or off'))
  .action(async (id: string, options: KeyOptions) => (await import('./commands/keys.ts')).set(id, options, loadConfig(environment())))

const teams = program.command('teams').description('teams and what is set for them; works beside a running service')
const withTerms = (command: Command): Command =>
  command
    .addOption(budget)
    .addOption(new Option('--rate-limits <limits>', 'requests by kind, shared by its keys: scrape=600/min,map=5/s; or off'))
    .addOption(new Option('--gates <gates>', 'features that are on: a comma list of zdr, ignore-robots, enterprise-search; or off'))
    .addOption(new Option('--webhook-secret <secret>', 'key of its webhook signatures; - reads it from standard input; or off'))
withTerms(teams.command('create <team>').description('make a team')).action(async (team: string, options: TeamOptions) => (await import('./commands/teams.ts')).create(team, options, loadConfig(environment())))
withTerms(teams.command('set <team>').description('change what is set for a team')).action(async (team: string, options: TeamOptions) => (await import('./commands/teams.ts')).set(team, options, loadConfig(environment())))
teams
  .command('list')
  .description('list teams and what is set for them')
  .action(async () => (await import('./commands/teams.ts')).list(loadConfig(environment())))

teams
  .command('delete <team>')
  .description('delete a team with all it has: keys, jobs, results, sessions, profiles, cache, ledger; cannot be undone')
  .option('--force', 'also one that has something under way, or is the only one')
  .action(async (team: string, options: { force?: boolean }) => (await import('./commands/team-removal.ts')).remove(team, options, loadConfig(environment())))

const credits = program.command('credits').description('credits of teams; works beside a running service')
credits
  .command('list [team]')
  .description('list what teams were granted, and have used by month and key')
  .action(async (team: string | undefined) => (await import('./commands/teams.ts')).credits(team, loadConfig(environment())))
credits
  .command('grant <team> <credits>')
  .description('add credits to those that a team has, or lift its limit with "unlimited"')
  .action(async (team: string, amount: string) => (await import('./commands/teams.ts')).grant(team, amount, loadConfig(environment())))

const webhooks = program.command('webhooks').description('deliveries of webhooks; works beside a running service')
webhooks
  .command('list')
  .description('list deliveries, newest first')
  .option('--job <id>', 'of this job only')
  .addOption(new Option('--state <state>', 'in this state only').choices(['waiting', 'delivered', 'given-up', 'stopped']))
  .option('--limit <count>', 'how many at most', '100')
  .action(async (options: DeliveryFilter) => (await import('./commands/deliveries.ts')).list(options, loadConfig(environment())))
webhooks
  .command('redeliver [id]')
  .description('deliver one again, or with --job all of a job that did not arrive')
  .option('--job <id>', 'all of this job that did not arrive')
  .action(async (id: string | undefined, options: { job?: string }) => (await import('./commands/deliveries.ts')).redeliver(id, options, loadConfig(environment())))

program
  .command('feedback')
  .description('list what clients said about answers, newest first; works beside a running service')
  .option('--limit <count>', 'how many at most', '100')
  .action(async (options: { limit: string }) => (await import('./commands/feedback.ts')).list(options, loadConfig(environment())))

program
  .command('config')
  .description('print the effective settings, secrets masked; fails if the service cannot start with them')
  .action(async () => {
    console.log(describeConfig(environment()))
    ;(await import('./settings/usable.ts')).assertUsable(loadConfig(environment()))
  })

program
  .command('doctor')
  .description('check what is configured and what is missing, and scrape one page')
  .action(async () => {
    process.exitCode = (await (await import('./commands/doctor.ts')).doctor(loadConfig(environment()))) ? 0 : 1
  })

program
  .command('setup <part>')
  .description('bring what is missing: "browser"')
  .action(async (part: string) => (await import('./commands/setup.ts')).setup(part, loadConfig(environment())))

program
  .command('openapi')
  .description('print the interface as OpenAPI 3.1')
  .action(async () => console.log(JSON.stringify((await import('../http/openapi.ts')).openApi(version), null, 2)))

/** Runs the command line; a failure ends the process with one sentence and status 1. */
export async function main(argv: readonly string[]): Promise<void> {
  // The event loop is empty although the command has not finished: without this check that would look like success.
  const stuck = (): void => {
    console.error('The command ended before it was done.')
    process.exitCode = 1
  }
  process.once('beforeExit', stuck)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    console.error(explain(error))
    process.exit(1)
  } finally {
    process.off('beforeExit', stuck)
  }
}
