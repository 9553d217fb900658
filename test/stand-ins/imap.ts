// A mailbox that speaks as much of IMAP (RFC 9051) as a reader of it needs: LOGIN, SELECT, SEARCH, FETCH, STORE, MOVE.
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { AddressInfo } from 'node:net'

export type KeptMail = { uid: number; bytes: Buffer; flags: Set<string> }
export type TestMailbox = {
  url: string
  /** By folder. */
  folders: Map<string, KeptMail[]>
  put(bytes: Buffer, flags?: readonly string[]): void
  /** All commands, without tags and passwords. */
  commands: string[]
  /** Ends the connection instead of answering the first command that matches. */
  breakAt(command: RegExp | null): void
  close(): Promise<void>
}

const PASSWORD = 'p@ss "word"'

/** With a key, under TLS from the first byte. */
export async function startMailbox(tls: { key: string; cert: string } | null = null): Promise<TestMailbox> {
  const folders = new Map<string, KeptMail[]>([
    ['INBOX', []],
    ['Done', []],
  ])
  const commands: string[] = []
  let next = 1
  let broken: RegExp | null = null
  const accept = (socket: Socket) => {
    socket.on('error', () => {})
    speak(socket, { folders, commands, isBroken: (command) => broken?.test(command) ?? false })
  }
  const server = tls ? createTlsServer(tls, accept) : createServer(accept)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'imaps' : 'imap'}://reader:${encodeURIComponent(PASSWORD)}@${tls ? 'localhost' : '127.0.0.1'}:${port}/INBOX`,
    folders,
    commands,
    put: (bytes, flags = []) => void folders.get('INBOX')?.push({ uid: next++, bytes, flags: new Set(flags) }),
    breakAt: (command) => void (broken = command),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type Session = {
  folders: Map<string, KeptMail[]>
  commands: string[]
  isBroken: (command: string) => boolean
}

function speak(socket: Socket, { folders, commands, isBroken }: Session): void {
  let selected: KeptMail[] = []
  let pending = ''
  const say = (line: string | Buffer) => socket.write(typeof line === 'string' ? `${line}\r\n` : line)
  const mailOf = (uid: string) => selected.find((one) => one.uid === Number(uid))
  const answers: Record<string, (rest: string) => string> = {
    CAPABILITY: () => (say('* CAPABILITY IMAP4rev1 MOVE UIDPLUS'), 'OK done'),
    LOGIN: (rest) =>
      rest === `"reader" "p@ss \\"word\\""`
        ? 'OK [CAPABILITY IMAP4rev1 MOVE UIDPLUS] in'
        : 'NO [AUTHENTICATIONFAILED] no',
    SELECT: (rest) => {
      selected = folders.get(rest.replaceAll('"', '')) ?? []
      for (const line of [
        'FLAGS (\\Seen)',
        `${selected.length} EXISTS`,
        'OK [UIDVALIDITY 1] valid',
        'OK [UIDNEXT 100] next',
      ])
        say(`* ${line}`)
      return 'OK [READ-WRITE] selected'
    },
    'UID SEARCH': () => {
      const unseen = selected.filter(({ flags }) => !flags.has('\\Seen') && !flags.has('\\Deleted'))
      say(`* SEARCH ${unseen.map(({ uid }) => uid).join(' ')}`.trimEnd())
      return 'OK done'
    },
    'UID FETCH': (rest) => {
      const [, uid = '', most] = /^(\d+) .*BODY\.PEEK\[\](?:<0\.(\d+)>)?/.exec(rest) ?? []
      const mail = mailOf(uid)
      if (mail) {
        const part = mail.bytes.subarray(0, most === undefined ? undefined : Number(most))
        const where = most === undefined ? 'BODY[]' : 'BODY[]<0>'
        say(
          Buffer.from(
            `* ${selected.indexOf(mail) + 1} FETCH (UID ${uid} RFC822.SIZE ${mail.bytes.length} ${where} {${part.length}}\r\n`,
          ),
        )
        say(part)
        say(')')
      }
      return 'OK done'
    },
    'UID STORE': (rest) => {
      const [, uid = '', flag = ''] = /^(\d+) \+FLAGS(?:\.SILENT)? \((\\\w+)\)/.exec(rest) ?? []
      mailOf(uid)?.flags.add(flag)
      return 'OK done'
    },
    'UID MOVE': (rest) => {
      const [, uid = '', folder = ''] = /^(\d+) "?([^"]+)"?$/.exec(rest) ?? []
      const [mail, target] = [mailOf(uid), folders.get(folder)]
      if (!target) return 'NO [TRYCREATE] no such folder'
      if (mail) {
        target.push(mail)
        say(`* ${selected.indexOf(mail) + 1} EXPUNGE`)
        selected.splice(selected.indexOf(mail), 1)
      }
      return 'OK done'
    },
    LOGOUT: () => (say('* BYE'), 'OK bye'),
  }
  say('* OK [CAPABILITY IMAP4rev1 MOVE UIDPLUS] ready')
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const [, tag = '', name = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/.exec(pending.slice(0, end)) ?? []
      pending = pending.slice(end + 2)
      const command = name.toUpperCase()
      commands.push(command === 'LOGIN' ? command : `${command} ${rest}`.trim())
      if (isBroken(command)) {
        socket.destroy()
        return
      }
      say(
        `${tag} ${answers[command]?.(rest) ?? (command === 'LIST' || command === 'NAMESPACE' ? 'OK done' : 'BAD unknown')}`,
      )
      if (command === 'LOGOUT') socket.end()
    }
  })
}
