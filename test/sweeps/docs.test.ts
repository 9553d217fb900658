// The pages that people read: their links lead somewhere, what the code cites is there, and none is too long to read.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const LONGEST_PAGE = 6000

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const wordsOf = (path: string): number => read(path).split(/\s+/).filter(Boolean).length
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: ROOT }).toSorted()
const sources = globSync(['{src,test,scripts,bench}/**/*.ts', 'packages/*/{src,test,scripts}/*.ts'], {
  cwd: ROOT,
}).toSorted()

/** Without blocks of code, where brackets are no links and `#` begins no heading. */
const prose = (path: string): string => read(path).replaceAll(/^```[^]*?^```/gm, '')

/** As GitHub makes them of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

const anchors = new Map(
  pages.map((page) => [page, [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))]),
)

/** Whether a page has this heading, or one that begins with it: a comment may break it, or go on behind it. */
const hasSection = (page: string, section: string): boolean =>
  anchors.get(page)?.some((one) => one.startsWith(anchorOf(section)) || anchorOf(section).startsWith(one)) ?? false

describe('the pages', () => {
  it('have links to files and headings that are there', () => {
    expect(pages.length).toBeGreaterThan(40)
    const broken = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return []
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(ROOT, target))) return [`${page}: ${link} is no file`]
        const isThere = anchor === undefined || anchors.get(target)?.includes(anchor)
        return isThere ? [] : [`${page}: ${link} is no heading`]
      }),
    )
    expect(broken, broken.join('\n')).toEqual([])
  })
  it('are there where code, or the text of a page, names them', () => {
    const names = /\bdocs\/(?:(decisions\/\d{4})|((?:interface\/)?[\w-]+\.md)(?:, ([A-Z][\w -]*\w))?)/g
    const broken = [...sources, ...pages, 'openapi.json'].flatMap((path) =>
      [...read(path).matchAll(names)].flatMap(([name, decision, file, section]) => {
        const page = pages.find((one) => one === `docs/${file}` || (decision && one.startsWith(`docs/${decision}-`)))
        if (page === undefined) return [`${path}: ${name} is no page`]
        const isCited = page.startsWith('docs/interface/') && section !== undefined
        return isCited && !hasSection(page, section) ? [`${path}: ${name} is no heading`] : []
      }),
    )
    expect(broken, broken.join('\n')).toEqual([])
  })
  it(`have ${LONGEST_PAGE} words at most`, () => {
    expect(pages.filter((page) => wordsOf(page) > LONGEST_PAGE)).toEqual([])
  })
})

describe('decisions', () => {
  const decisions = pages.filter((page) => page.startsWith('docs/decisions/'))
  it('have a number of their own and a status, and say context, decision, consequences and alternatives', () => {
    expect(decisions.length).toBeGreaterThan(20)
    const numbers = decisions.map((page) => basename(page).slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)])
    for (const page of decisions) {
      const text = read(page)
      expect(text, page).toMatch(
        /^# \d{4} .+\n\nStatus: (?:accepted(?:, changed by \[\d{4}\]\(.+\.md\))?|replaced by \[\d{4}\]\(.+\.md\))\n/,
      )
      for (const part of ['Context', 'Decision', 'Consequences', 'Alternatives'])
        expect(text, page).toContain(`**${part}.**`)
    }
  })
})
