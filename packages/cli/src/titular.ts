#!/usr/bin/env node
// The program: its console, Ctrl-C and its exit code.
import { run } from './run.ts'

const ending = new AbortController()
// The second Ctrl-C ends it at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())

// The reader has gone; whoever writes learns it by the write.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

process.exitCode = await run(process.argv.slice(2), {
  in: process.stdin,
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  signal: ending.signal,
})
// Connections that are kept alive would hold the program for seconds.
process.exit()
