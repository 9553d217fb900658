// Redmine's adapter over real HTTP: the port's contract, and what Redmine does not say.
import { describe, expect, it } from 'vitest'
import { issueTrackerContract, newMark } from '#ports/issue-tracker.contract.ts'
import { TrackerRefused } from '#ports/issue-tracker.ts'
import { trackerTroubles } from '#test/scenes/tracker-troubles.ts'
import { startTracker, type Tracker } from '#test/stand-ins/tracker.ts'
import { redmine } from './redmine.ts'

const open = ({ url }: Tracker, project = 'support') =>
  redmine({ url, token: 'token-of-redmine', project, timeoutMs: 2000 })

issueTrackerContract('Redmine', async () => {
  const standIn = await startTracker('redmine')
  const tracker = open(standIn)
  return {
    tracker,
    first: 'New',
    second: 'In Progress',
    comment: (id, text) => void standIn.comment(Number(id), text),
    close: async () => {
      await tracker.close()
      await standIn.close()
    },
  }
})
trackerTroubles('redmine', 'Closed', (standIn) => open(standIn))

describe('Redmine', () => {
  it('says what it has against an issue, and that it dropped a comment', async () => {
    const standIn = await startTracker('redmine')
    const elsewhere = open(standIn, 'elsewhere')
    await expect(elsewhere.create({ title: 'SR-20260001', text: '', mark: newMark() })).rejects.toThrow(
      'Project cannot be blank',
    )
    const tracker = open(standIn)
    const { id } = await tracker.create({ title: 'SR-20260001', text: '', mark: newMark() })
    standIn.store.addComment = (_number, body) => ({
      id: 0,
      author: '',
      body,
      isOfTeam: true,
      isPrivate: false,
      at: '',
    })
    await expect(tracker.comment(id, { text: 'x', mark: newMark() })).rejects.toThrow(TrackerRefused)
    await elsewhere.close()
    await tracker.close()
    await standIn.close()
  })
})
