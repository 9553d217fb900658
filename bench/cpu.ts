// The CPU time and memory of processes, and of the whole machine, from /proc. Linux only: elsewhere there are no figures.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

type Process = { pid: number; parent: number; ticks: number }

const MICROS_PER_TICK = 10_000
/** Fields of /proc/<pid>/stat after the name, and of the first line of /proc/stat. */
const PARENT = 1
const TIMES = [11, 12, 13, 14]
const [USER, NICE, SYSTEM, STEAL] = [0, 1, 2, 7]

export const hasProc = existsSync('/proc/stat')

/** CPU microseconds since their start of these processes and all below them, including those that have ended. */
export function cpuOfTrees(roots: readonly number[]): number {
  const all = processes()
  const found = new Set(roots)
  // Parents come before their children, but for pids that were used again: a few passes find all.
  for (let before = 0; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return all.reduce((sum, { pid, ticks }) => (found.has(pid) ? sum + ticks : sum), 0) * MICROS_PER_TICK
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const text = /^\d+$/.test(name) ? textOf(`/proc/${name}/stat`) : null
    if (text === null) return []
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = TIMES.reduce((sum, at) => sum + Number(fields[at]), 0)
    return [{ pid: Number(name), parent: Number(fields[PARENT]), ticks }]
  })
}

/** Null when the process has ended meanwhile. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/**
 * Microseconds of all cores: how many there were, and how many processes took. Interrupts are left out, since Linux counts
 * those of the loopback interface for no process.
 */
export function cpuOfMachine(): { all: number; processes: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.trim().split(/\s+/).slice(1).map(Number)
  const sum = (fields: readonly number[]) => fields.reduce((total, at) => total + (ticks[at] ?? 0), 0) * MICROS_PER_TICK
  return { all: sum(ticks.keys().toArray().slice(0, 8)), processes: sum([USER, NICE, SYSTEM, STEAL]) }
}

/** Resident memory in MB now, and at most so far. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** The parent of a process: of a backend of PostgreSQL, the server. */
export const parentOf = (pid: number): number => processes().find((one) => one.pid === pid)?.parent ?? 0
