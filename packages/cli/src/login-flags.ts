// The flags of `titular login`. No secret is one: other users of the machine see them in the list of processes.
import { flag, toggle, type Flag } from './flags.ts'

export const LOGIN_FLAGS: readonly Flag[] = [
  flag('url', 'Where the service is; TITULAR_URL'),
  flag('profile', 'The name to keep it under; "default" where none is in use'),
  flag('email', 'Whose account; asked for where it is missing'),
  toggle('password-stdin', 'Read the password from the standard input'),
  flag('code', 'Six digits of the authenticator app; else TITULAR_CODE, also a recovery code, or asked for'),
  toggle('sso', 'By single sign-on, in the browser'),
  toggle('device', 'On another device: prints an address and a code, for machines without a browser'),
  toggle('no-browser', 'With --sso: print the address instead of opening it'),
  flag(
    'key-id',
    'Sign in as a program: the key of an API key. Its secret is TITULAR_SECRET, else asked for or read from the standard input',
  ),
  toggle('with-token', 'An access token that somebody else renews, asked for or read from the standard input'),
  flag('organization', 'To work in, where a call names no other one'),
  flag('company', 'The legal entity, where a call names no other one'),
  flag('language', 'Of the sentences of the service: pt-BR or en'),
  toggle('help', 'This text'),
]
