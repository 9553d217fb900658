// The flags of `titular listen`. The secret to sign with is TITULAR_WEBHOOK_SECRET, not a flag: see login-flags.ts.
import { flag, toggle, type Flag } from './flags.ts'

export const LISTEN_FLAGS: readonly Flag[] = [
  flag('forward', 'The address that gets the events, such as http://localhost:4000/hook'),
  flag('type', 'Only these, by comma; quote.* is every event of quotes'),
  flag('after', 'Begin after this event; else with what is new'),
  toggle('resume', 'Go on after the last event of the time before'),
  flag('organization', 'The id of the organization; TITULAR_ORGANIZATION'),
  flag('profile', 'Whose credentials and which service; TITULAR_PROFILE'),
  flag('url', 'Where the service is; TITULAR_URL'),
  flag('language', 'Of the sentences of the service: pt-BR or en; TITULAR_LANGUAGE'),
  toggle('help', 'This text'),
]
