// The contract of the issue tracker port against a real Redmine (CONTRIBUTING.md). No part of the suite: without the
// variables it fails, so that it never counts as passed.
import { issueTrackerContract } from '#ports/issue-tracker.contract.ts'
import { redmine } from '../../src/adapters/redmine/redmine.ts'

function setting(name: string): string {
  const { [name]: value } = process.env
  if (!value) throw new Error(`${name} is missing`)
  return value
}

const url = setting('REDMINE_URL')
const [project, first, second] = ['REDMINE_PROJECT', 'REDMINE_FIRST_STATUS', 'REDMINE_SECOND_STATUS'].map(setting)

issueTrackerContract(`Redmine at ${url}`, async () => {
  const tracker = redmine({ url, token: setting('REDMINE_KEY'), project: project ?? '', timeoutMs: 60_000 })
  return {
    tracker,
    first: first ?? '',
    second: second ?? '',
    async comment(id, text) {
      const response = await fetch(`${url}/issues/${id}.json`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-redmine-api-key': setting('REDMINE_COLLEAGUE_KEY') },
        body: JSON.stringify({ issue: { notes: text } }),
      })
      if (response.status !== 204) throw new Error(`the colleague may not comment: ${response.status}`)
    },
    close: () => tracker.close(),
  }
})
