// Completion as the shells ask for it. bash is on every machine; zsh and fish are tested where they are.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { home, inProcess, shell } from './program.ts'

const words = async (...typed: string[]): Promise<string[]> => {
  const { out } = await inProcess(['__complete', ...typed], { env: home() })
  return out.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

describe('the words that may follow', () => {
  it('are areas, verbs, flags and values', async () => {
    expect(await words('quo')).toEqual(['quotes'])
    expect(await words('')).toEqual(expect.arrayContaining(['login', 'listen', 'quotes', 'tickets']))
    expect(await words('quotes', 'adj')).toEqual(['adjust'])
    expect(await words('quotes', 'accept', '12', '--pur')).toEqual(['--purchase-order'])
    expect(await words('quotes', 'list', '--status', 'se')).toEqual(['sent'])
    expect(await words('quotes', 'list', '--status=se')).toEqual(['--status=sent'])
    expect(await words('quotes', 'list', '--format', '')).toEqual(['table', 'json', 'ndjson', 'csv'])
    expect(await words('--organization', '7', 'quotes', 'li')).toEqual([
      'list',
      'list-history',
      'list-links',
      'list-requests',
    ])
    expect(await words('profile', '')).toEqual(['list', 'use', 'remove'])
    expect(await words('completion', 'z')).toEqual(['zsh'])
    expect(await words('listen', '--fo')).toEqual(['--forward'])
    expect(await words('--comp')).toEqual(['--company'])
  })
  it('are none where a file or something of one’s own follows', async () => {
    expect(await words('documents', 'create', '--file', '')).toEqual([])
    expect(await words('nothing', '')).toEqual([])
    expect(await words('quotes', 'accept', '')).toEqual([])
  })
})

/** bash's own variables, as it sets them before it asks. */
const asked = (line: string[], at: number) =>
  `eval "$(titular completion bash)"; COMP_WORDS=(${line.map((one) => `'${one}'`).join(' ')}); COMP_CWORD=${at}; ` +
  `_titular; printf '%s\\n' "\${COMPREPLY[@]}"`

describe('bash', () => {
  it('completes by the script', async () => {
    const { out, err, code } = await shell(asked(['titular', 'quotes', 'accept', '1', '--pur'], 4))
    expect([code, out, err]).toEqual([0, '--purchase-order\n', ''])
    expect((await shell(asked(['titular', 'quotes', 'list', '--status', '=', 'se'], 5))).out).toBe('sent\n')
    expect((await shell(asked(['titular', 'quotes', 'list', '--status', '='], 4))).out).toContain('sent\n')
    const complete = 'eval "$(titular completion bash)"; complete -p titular'
    expect((await shell(complete)).out).toContain('-F _titular titular')
  })
})

const has = (name: string): boolean => spawnSync(name, ['--version']).status === 0

describe.skipIf(!has('zsh'))('zsh', () => {
  it('completes by the script', async () => {
    const script =
      'autoload -U compinit; compinit -u -D; eval "$(titular completion zsh)"; _files() { print FILES }; ' +
      '_describe() { print -l -- ${(P)2} }; words=(titular quotes adj); CURRENT=3; _titular; ' +
      'words=(titular documents create --file ""); CURRENT=5; _titular'
    const { out, err } = await shell(script, {}, 'zsh')
    expect([out, err]).toEqual(['adjust:Adjust the prices of a draft quote by a price index.\nFILES\n', ''])
  })
})

describe.skipIf(!has('fish'))('fish', () => {
  it('completes by the script', async () => {
    const script =
      'titular completion fish | source; complete -C "titular quotes adj"; ' +
      'complete -C "titular quotes list --status se"'
    const { out, err } = await shell(script, home(), 'fish')
    expect([out, err]).toEqual(['adjust\tAdjust the prices of a draft quote by a price index.\nsent\n', ''])
  })
})
