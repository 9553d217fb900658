// The settings of the issue tracker: what each choice needs, and the pairs of statuses.
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const JIRA = {
  ISSUE_TRACKER: 'jira',
  ISSUE_TRACKER_URL: 'https://acme.atlassian.net/',
  ISSUE_TRACKER_USER: 'bot@acme.example',
  ISSUE_TRACKER_TOKEN: 'a-token-of-jira',
  ISSUE_TRACKER_PROJECT: 'SUP',
  ISSUE_TRACKER_WEBHOOK_SECRETS: 'q8Zr0vV1p4yXw2m6,B9dT5sN7kL3hJ0cF',
}
const GITHUB = {
  ISSUE_TRACKER: 'github',
  ISSUE_TRACKER_TOKEN: 'a-token-of-github',
  ISSUE_TRACKER_PROJECT: 'acme/support',
  ISSUE_TRACKER_WEBHOOK_SECRETS: 'q8Zr0vV1p4yXw2m6',
}
const REDMINE = {
  ISSUE_TRACKER: 'redmine',
  ISSUE_TRACKER_URL: 'http://127.0.0.1:3001',
  ISSUE_TRACKER_TOKEN: 'a-key-of-redmine',
  ISSUE_TRACKER_PROJECT: 'support',
}

function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const ofSandbox = (name: string) => readConfig({ ISSUE_TRACKER: name }).issueTracker

describe('ISSUE_TRACKER', () => {
  it('is the sandbox’s where there is one, and each other choice has its own settings', () => {
    expect(readConfig({ SANDBOX: '1', ISSUE_TRACKER: 'none' }).issueTracker).toEqual({ kind: 'none' })
    expect(readConfig({}).issueTracker).toMatchObject({ kind: 'sandbox', rules: { publicPrefix: '/public' } })
    expect(ofSandbox('sandbox')).toMatchObject({ protocol: 'github', rules: { pollSeconds: 3600 } })
    expect(ofSandbox('jira-sandbox')).toMatchObject({ kind: 'sandbox', protocol: 'jira', rules: { pollSeconds: 3600 } })
    expect(ofSandbox('redmine-sandbox')).toMatchObject({ protocol: 'redmine', rules: { pollSeconds: 120 } })
    for (const name of ['sandbox', 'jira-sandbox', 'redmine-sandbox'])
      expect(refusalOf({ SANDBOX: '0', ISSUE_TRACKER: name })).toContain(`cannot be "${name}" while SANDBOX is off`)
    expect(readConfig(JIRA).issueTracker).toMatchObject({
      kind: 'jira',
      url: 'https://acme.atlassian.net',
      issueType: 'Task',
      webhookSecrets: ['q8Zr0vV1p4yXw2m6', 'B9dT5sN7kL3hJ0cF'],
      rules: { publicPrefix: '/public', pollSeconds: 3600 },
    })
    expect(readConfig(GITHUB).issueTracker).toMatchObject({ kind: 'github', url: 'https://api.github.com' })
    expect(readConfig(REDMINE).issueTracker).toMatchObject({ kind: 'redmine', rules: { pollSeconds: 120 } })
  })
  it('names what is missing, one line each', () => {
    for (const whole of [JIRA, GITHUB, REDMINE])
      for (const name of Object.keys(whole).filter((one) => one !== 'ISSUE_TRACKER')) {
        const without = Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name))
        expect(refusalOf(without), name).toBe(`${name} is missing (ISSUE_TRACKER is ${whole.ISSUE_TRACKER})`)
      }
  })
  it('refuses a project that cannot be one, an address without TLS, and secrets that are too short', () => {
    const wrong = [
      [JIRA, 'ISSUE_TRACKER_PROJECT', 'SUP" or 1=1'],
      [GITHUB, 'ISSUE_TRACKER_PROJECT', 'acme'],
      [GITHUB, 'ISSUE_TRACKER_PROJECT', 'acme/../other'],
      [REDMINE, 'ISSUE_TRACKER_PROJECT', 'Support Desk'],
      [REDMINE, 'ISSUE_TRACKER_URL', 'http://redmine.example'],
      [JIRA, 'ISSUE_TRACKER_WEBHOOK_SECRETS', 'short'],
      [JIRA, 'ISSUE_TRACKER_TOKEN', 'two words of a token'],
      [JIRA, 'ISSUE_TRACKER_PUBLIC_PREFIX', 'for all'],
      [JIRA, 'ISSUE_TRACKER_POLL_SECONDS', '5'],
      [{}, 'ISSUE_TRACKER', 'bugzilla'],
    ] as const
    for (const [given, name, value] of wrong) expect(refusalOf({ ...given, [name]: value }), value).toContain(name)
  })
  it('takes pairs of statuses in their order, and none of a status that tickets do not have', () => {
    const pairs = 'open=Backlog, in_progress=In Arbeit,resolved=Done,closed=Done'
    const { issueTracker } = readConfig({ ...JIRA, ISSUE_TRACKER_STATUSES: pairs })
    expect(issueTracker.kind === 'jira' && issueTracker.rules.statuses).toEqual([
      { ours: 'open', theirs: 'Backlog' },
      { ours: 'in_progress', theirs: 'In Arbeit' },
      { ours: 'resolved', theirs: 'Done' },
      { ours: 'closed', theirs: 'Done' },
    ])
    for (const wrong of ['opened=To Do', 'open', 'open=', '=To Do'])
      expect(refusalOf({ ...JIRA, ISSUE_TRACKER_STATUSES: wrong }), wrong).toContain('must list pairs')
  })
})
