// What stands beside every screen and loads after it: where the keyboard is, and the proof of who acts.
import { useEffect } from 'react'
import { usePerson } from '../context.tsx'
import { keepFocus } from './keep-focus.ts'
import { StepUp } from './step-up.tsx'

export function Beside() {
  const { brand } = usePerson()
  const name = brand?.name ?? 'Titular'
  useEffect(() => keepFocus((screen) => (screen === '' ? name : `${screen} – ${name}`)), [name])
  return <StepUp />
}
