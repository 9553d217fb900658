// What stands beside every screen and loads after it: where the keyboard is, the proof of who acts, and what goes on.
import { useEffect } from 'react'
import { usePerson } from '../context.tsx'
import { keepFocus } from './keep-focus.ts'
import { StepUp } from './step-up.tsx'
import { UnderWay } from './under-way.tsx'

export function Beside() {
  const { brand } = usePerson()
  const name = brand?.name ?? 'Titular'
  useEffect(() => keepFocus((screen) => (screen === '' ? name : `${screen} – ${name}`)), [name])
  return (
    <>
      <UnderWay />
      <StepUp />
    </>
  )
}
