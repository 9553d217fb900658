// Opens the search from everywhere: Ctrl or ⌘ and K, or a button. `/` goes to the search of a list where there is one.
import { Button, Kbd, Text, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { usePerson } from '../context.tsx'
import type { Entry } from '../routes/menu.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function PaletteButton({ entries }: { entries: readonly Entry[] }) {
  const { texts } = usePerson()
  const [isOpen, setOpen] = useState(false)
  const focusSearch = (): void => {
    const field = document.querySelector<HTMLInputElement>('search #search')
    if (field) field.focus()
    else setOpen(true)
  }
  // The shortcut works within fields too.
  useHotkeys([['mod+K', () => setOpen(true)]], [])
  useHotkeys([['/', focusSearch]])
  return (
    <>
      <Button
        variant="default"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        px={{ base: 'sm', sm: 'md' }}
        rightSection={
          <Kbd size="xs" visibleFrom="md" aria-hidden>
            Ctrl K
          </Kbd>
        }
      >
        <Text span inherit visibleFrom="sm">
          {texts.list.search}
        </Text>
        <Text span inherit hiddenFrom="sm" aria-hidden>
          ⌕
        </Text>
        <VisuallyHidden hiddenFrom="sm">{texts.list.search}</VisuallyHidden>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette entries={entries} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
