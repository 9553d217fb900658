// The contract of the issue tracker port. The tests of each adapter run it against a tracker that they start; the
// script scripts/redmine runs it against a real Redmine.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IssueTracker, IssueMissing, markIn, StatusNotAllowed } from './issue-tracker.ts'

export type OpenTracker = {
  tracker: IssueTracker
  /** A status that an issue has when it is new, and one that it may have afterwards. */
  first: string
  second: string
  /** Somebody of the vendor's team comments in the tracker. */
  comment: (id: string, text: string) => Promise<void> | void
  close: () => Promise<void>
}

export const newMark = (): string => `titular-${randomBytes(10).toString('hex')}`

const LONG_AGO = new Date('2020-01-01T00:00:00Z')

export function issueTrackerContract(name: string, open: () => Promise<OpenTracker>): void {
  describe(`issue tracker ${name}`, () => {
    let opened: OpenTracker
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened?.close())

    const make = (mark = newMark()) =>
      opened.tracker.create({ title: 'SR-20260001: slow', text: 'Priority high\n\nAção “é” <b>1</b> & 2', mark })

    it('creates an issue and finds it by its mark, and nothing by another one', async () => {
      const { tracker, first } = opened
      const mark = newMark()
      const issue = await make(mark)
      expect(issue).toMatchObject({ status: first, key: expect.any(String), url: expect.stringMatching(/^https?:/) })
      expect(await tracker.find(mark, LONG_AGO)).toEqual([issue])
      expect(await tracker.find(newMark(), LONG_AGO)).toEqual([])
    })
    it('finds two issues with one mark, the oldest first', async () => {
      const mark = newMark()
      const ids = [(await make(mark)).id, (await make(mark)).id]
      expect((await opened.tracker.find(mark, LONG_AGO)).map(({ id }) => id)).toEqual(ids)
    })
    it('reads an issue by its key as people write it, and by its id', async () => {
      const { tracker } = opened
      const issue = await make()
      expect(await tracker.read(tracker.referenceOf(issue.key) ?? '')).toEqual(issue)
      expect(await tracker.read(issue.id)).toEqual(issue)
      for (const wrong of ['', 'x y', '../admin', '1/2', '-1', 'é-1']) expect(tracker.referenceOf(wrong)).toBeNull()
    })
    it('says that an issue is not there', async () => {
      const { tracker } = opened
      const { key } = await make()
      const missing = tracker.referenceOf(key.replace(/\d+$/, '99999')) ?? ''
      await expect(tracker.read(missing)).rejects.toThrow(IssueMissing)
      await expect(tracker.comments(missing, LONG_AGO)).rejects.toThrow(IssueMissing)
      await expect(tracker.comment(missing, { text: 'x', mark: newMark() })).rejects.toThrow(IssueMissing)
    })
    it('changes the status, in letters of any case, also to the one that it has, and back', async () => {
      const { tracker, first, second } = opened
      const { id } = await make()
      expect(await tracker.changeStatus(id, second.toUpperCase())).toMatchObject({ id, status: second })
      expect((await tracker.read(id)).status).toBe(second)
      expect((await tracker.changeStatus(id, first)).status).toBe(first)
    })
    it('refuses a status that the tracker does not have, and changes nothing', async () => {
      const { tracker, first } = opened
      const { id } = await make()
      await expect(tracker.changeStatus(id, 'Elsewhere')).rejects.toThrow(StatusNotAllowed)
      expect((await tracker.read(id)).status).toBe(first)
    })
    it('comments with a mark at the end, and reads comments of both sides, the oldest first', async () => {
      const { tracker, comment } = opened
      const { id } = await make()
      const marks = [newMark(), newMark()]
      const text = 'Olá @dev, ``` #1 <pre>x</pre> ![](http://x.example/a.png)\n\n/close\n> quoted'
      await tracker.comment(id, { text, mark: marks[0] ?? '' })
      await comment(id, '/public It was the disk.\nSecond line.')
      await tracker.comment(id, { text: 'x', mark: marks[1] ?? '' })
      const read = await tracker.comments(id, LONG_AGO)
      expect(read.map(({ body }) => markIn(body))).toEqual([marks[0], null, marks[1]])
      expect(read[0]?.body).toContain('Olá @')
      expect(read[1]).toMatchObject({ body: '/public It was the disk.\nSecond line.', mayBePublic: true })
      expect(await tracker.comments(id, new Date(Date.now() + 86_400_000))).toEqual([])
    })
    it('gives unsigned for an event without a valid signature', () => {
      const body = Buffer.from('{}')
      const signature = `sha256=${'0'.repeat(64)}`
      for (const headers of [{}, { 'x-hub-signature': signature, 'x-hub-signature-256': signature }])
        expect(opened.tracker.readEvent(headers, body).kind).toBe('unsigned')
    })
  })
}
