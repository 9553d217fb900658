// The commands that are no operation of the API.
import { HELP, LEADING, type Flag } from './flags.ts'
import { LISTEN_FLAGS } from './listen-flags.ts'
import { LOGIN_FLAGS } from './login-flags.ts'

export type OwnCommand = { usage: string; about: string; flags: readonly Flag[]; words?: readonly string[] }

const some = (...names: string[]): Flag[] => LEADING.filter(({ name }) => names.includes(name))

export const OWN: { readonly [name: string]: OwnCommand } = {
  login: { usage: 'login [flags]', about: 'Sign in, and keep it in a profile', flags: LOGIN_FLAGS },
  logout: { usage: 'logout [flags]', about: 'End the session of a profile', flags: some('profile', 'help') },
  whoami: {
    usage: 'whoami [flags]',
    about: 'Show the account, and the organizations that it is in',
    flags: some('profile', 'url', 'organization', 'format', 'columns', 'language', 'help'),
  },
  profile: {
    usage: 'profile list | use NAME | remove NAME [flags]',
    about: 'List, choose, change and remove profiles',
    flags: some('organization', 'company', 'language', 'url', 'format', 'columns', 'help'),
    words: ['list', 'use', 'remove'],
  },
  listen: {
    usage: 'listen --forward URL [flags]',
    about: 'Forward events to an address of this machine as webhooks',
    flags: LISTEN_FLAGS,
  },
  completion: {
    usage: 'completion bash | zsh | fish',
    about: 'Print the completion of a shell',
    flags: [HELP],
    words: ['bash', 'zsh', 'fish'],
  },
  help: { usage: 'help [COMMAND …]', about: 'Show what a command does and takes', flags: [HELP] },
}
