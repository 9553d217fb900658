// The process that makes the load. It keeps the scenarios of each database, since requests that change something are sent once
// each, whichever server they go to.
import { readFile } from 'node:fs/promises'
import type { Data } from '../data.ts'
import { type Questions, scenariosOf } from '../questions.ts'
import type { Order, Source } from './load.ts'
import { makeLoad } from './loader.ts'

const scenarios = new Map<string, Map<string, Questions>>()

async function questionsOf(source: Source): Promise<Questions> {
  if (source.all) return { all: source.all }
  const known = scenarios.get(source.dataFile) ?? new Map<string, Questions>()
  if (known.size === 0) {
    const data: Data = JSON.parse(await readFile(source.dataFile, 'utf8'))
    for (const { name, questions } of scenariosOf(data)) known.set(name, questions)
    scenarios.set(source.dataFile, known)
  }
  const questions = known.get(source.scenario)
  if (!questions) throw new Error(`no such scenario: ${source.scenario}`)
  return questions
}

process.on('message', ({ source, perSecond, load }: Order) => {
  questionsOf(source)
    .then((questions) => makeLoad(questions, perSecond, load))
    .then(
      (round) => process.send?.({ round }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
})
// The parent process has ended, however it did: this one must not outlive it.
process.once('disconnect', () => process.exit(0))
