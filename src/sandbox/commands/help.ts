import { type Command, Misuse, said } from './command.ts'
import { whyMissing } from './missing.ts'

export const isHelp = (word: string | undefined): boolean => word === 'help' || word === '--help' || word === '-h'

const intro = `Commands, one per line or separated by ";", "&&" or "||"; there is no shell. "agent-browser" may stand before each.
<element> is a reference of the last snapshot (@e1) or a selector ('#id', 'text=Next'), quoted if it has spaces or begins with #.
Each takes --json. "help <command>" shows one.`

/** The command that lists commands. */
export function helpOf(commands: Readonly<Record<string, Command>>): Command {
  const uses = [...new Set(Object.values(commands).map(({ use }) => use))].flatMap((use) => use.split(' | ')).toSorted()
  return {
    use: 'help [command]',
    most: 1,
    async run({ words: [name] }) {
      if (name === undefined) return said(`${intro}\n\n${uses.map((use) => `  ${use}`).join('\n')}`)
      const why = whyMissing(name)
      if (why !== null) throw new Misuse(`there is no ${name} here: ${why}`)
      if (!Object.hasOwn(commands, name)) throw new Misuse('there is no such command; help lists those that there are')
      return said((commands[name]?.use ?? '').replaceAll(' | ', '\n'))
    },
  }
}
