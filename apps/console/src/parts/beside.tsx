// What stands beside every screen and loads after it: the proof of who acts, and what goes on.
import { StepUp } from './step-up.tsx'
import { UnderWay } from './under-way.tsx'

export const Beside = () => (
  <>
    <UnderWay />
    <StepUp />
  </>
)
