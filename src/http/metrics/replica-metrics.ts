// Metrics of the read replica: whether it is used, how far it is behind, and who answered what it might have.
import { Gauge, type Registry } from '@prometheus-io/client'
import type { ReplicaState } from '#kernel/database/replica.ts'

export function replicaMetrics(registry: Registry, stateOf: () => ReplicaState | null): void {
  const registers = [registry]
  const up: Gauge = new Gauge({
    name: 'titular_replica_up',
    help: '1 when the replica answers and is not too far behind',
    registers,
    collect: () => up.set(stateOf()?.isUsed ? 1 : 0),
  })
  const lag: Gauge = new Gauge({
    name: 'titular_replica_lag_seconds',
    help: 'How old what is read from the replica may be at most',
    registers,
    collect: () => lag.set(stateOf()?.lagSeconds ?? Infinity),
  })
  const reads = new Gauge({
    name: 'titular_replica_reads',
    help: 'Reads since the start that the replica may answer, by who answered',
    labelNames: ['from'],
    registers,
    collect() {
      reads.set({ from: 'replica' }, stateOf()?.answered ?? 0)
      reads.set({ from: 'primary' }, stateOf()?.leftToPrimary ?? 0)
    },
  })
}
