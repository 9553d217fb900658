// What each adapter of an issue tracker makes of a tracker that fails, over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMark } from '#ports/issue-tracker.contract.ts'
import { type IssueTracker, StatusNotAllowed, TrackerRefused, TrackerUnavailable } from '#ports/issue-tracker.ts'
import { startTracker, type Tracker } from '#test/stand-ins/tracker.ts'

type Opened = IssueTracker & { close(): Promise<void> }

/** `second`: a status that the tracker has besides the first one. */
export function trackerTroubles(name: Tracker['name'], second: string, open: (tracker: Tracker) => Opened): void {
  describe(`${name} in trouble`, () => {
    let standIn: Tracker
    let tracker: Opened
    beforeAll(async () => {
      standIn = await startTracker(name)
      tracker = open(standIn)
    })
    afterAll(async () => {
      await tracker.close()
      await standIn.close()
    })
    const make = () => tracker.create({ title: 'SR-20260001', text: 'slow', mark: newMark() })

    it.each(['lost', 'down', 'garbage', 'huge', 'limited'] as const)('%s: nobody knows what happened', async (way) => {
      const { id } = await make()
      standIn.behave(way)
      const calls = [
        () => make(),
        () => tracker.read(id),
        () => tracker.find(newMark(), new Date(0)),
        () => tracker.comments(id, new Date(0)),
        () => tracker.changeStatus(id, second),
      ]
      for (const call of calls) await expect(call()).rejects.toThrow(TrackerUnavailable)
      standIn.behave('normal')
      expect((await tracker.read(id)).id).toBe(id)
    })
    it('waits as long as the tracker says', async () => {
      standIn.behave('limited')
      await expect(make()).rejects.toMatchObject({ retryAfterSeconds: 77 })
      standIn.behave('normal')
    })
    it('refused: says why, and a redirect is not followed', async () => {
      for (const way of ['refuse', 'redirect'] as const) {
        standIn.behave(way)
        await expect(make()).rejects.toThrow(TrackerRefused)
      }
      standIn.behave('normal')
    })
    it('a status that is forbidden, or silently ignored, is not allowed', async () => {
      const { id, status } = await make()
      standIn.store.isSilent = true
      await expect(tracker.changeStatus(id, second)).rejects.toThrow(StatusNotAllowed)
      standIn.store.isSilent = false
      standIn.store.forbidden.add(second)
      await expect(tracker.changeStatus(id, second)).rejects.toThrow(`does not allow ${second} after ${status}`)
      standIn.store.forbidden.clear()
    })
    it('a comment that is not for everybody may not be public', async () => {
      const { id } = await make()
      standIn.comment(standIn.store.issues.length, '/public for the team', { isPrivate: true })
      expect((await tracker.comments(id, new Date(0))).map(({ mayBePublic }) => mayBePublic)).toEqual([false])
    })
  })
}
