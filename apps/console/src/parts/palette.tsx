// Goes to a screen, or to a record found by code, number, CNPJ, domain or e-mail address. By the keyboard alone.
import { Badge, Group, Loader, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { ValidationError } from '@titular/sdk'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { useOwnTexts, usePerson } from '../context.tsx'
import type { Entry } from '../routes/menu.ts'
import { ownTexts } from '../texts/texts.ts'
import { useFound } from './found.ts'
import { Problem } from './problem.tsx'

const MIN_LENGTH = 2
const MAX_SCREENS = 8

type Goal = { key: string; to: string; label: string; group: string; kind?: string; detail?: string | undefined }

/** Without case and accents, as the service searches. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export function Palette({ entries, onClose }: { entries: readonly Entry[]; onClose: () => void }) {
  const { texts, user } = usePerson()
  const own = useOwnTexts(paletteTexts)
  const navigate = useNavigate()
  const { organization } = useParams({ strict: false })
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [asked] = useDebouncedValue(text.trim(), 150)
  const {
    found,
    error: failure,
    isSearching,
  } = useFound(asked.length >= MIN_LENGTH ? asked : '', Number(organization) || null)
  // A text that the service cannot look for, such as an emoji, is one that nothing fits.
  const error = failure instanceof ValidationError ? null : failure
  const wanted = plain(text.trim())
  const screens: Goal[] = [
    ...entries.map(({ to, label }) => ({ key: to, to, label, group: own.screens })),
    ...user.organizations.map(({ id, name }) => ({
      key: `member ${id}`,
      to: `/o/${id}`,
      label: name,
      group: own.organizations,
    })),
    { key: '/me/profile', to: '/me/profile', label: texts.screens.profile, group: own.screens },
  ].filter(({ label }) => plain(label).includes(wanted))
  const goals: readonly Goal[] = [
    ...screens.slice(0, wanted === '' ? MAX_SCREENS : MAX_SCREENS / 2),
    ...found.map(({ key, to, label, kind, organization_name, isHere }) => ({
      key,
      to,
      label,
      kind,
      detail: isHere ? undefined : organization_name,
      group: isHere ? own.here : own.everywhere,
    })),
  ]
  const chosen = Math.min(at, goals.length - 1)
  const open = (goal: Goal | undefined): void => {
    if (!goal) return
    onClose()
    void navigate({
      to: goal.to.split('?')[0] ?? '/',
      search: Object.fromEntries(new URL(goal.to, 'http://x').searchParams),
    })
  }
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') open(goals[chosen])
    if (step === undefined) return
    event.preventDefault()
    const next = (chosen + step + goals.length) % Math.max(goals.length, 1)
    setAt(next)
    document.querySelector(`#goal-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog onClose={onClose} title={own.title} size="lg">
      <Stack>
        <TextInput
          data-autofocus
          aria-label={own.title}
          placeholder={own.hint}
          role="combobox"
          aria-expanded={goals.length > 0}
          aria-controls="goals"
          aria-activedescendant={goals.length > 0 ? `goal-${chosen}` : undefined}
          autoComplete="off"
          maxLength={200}
          value={text}
          rightSection={isSearching ? <Loader size="xs" /> : null}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={move}
        />
        {error !== null && <Problem error={error} />}
        <ScrollArea.Autosize mah="50vh" type="auto">
          <div id="goals" role="listbox" aria-label={own.found}>
            {goals.map((goal, index) => (
              <div key={goal.key}>
                {goal.group !== goals[index - 1]?.group && (
                  <Text size="sm" fw={700} c="dimmed" mt="xs" px="xs" aria-hidden>
                    {goal.group}
                  </Text>
                )}
                {/* The keyboard is with the field above, as in any combobox. */}
                <Group
                  id={`goal-${index}`}
                  role="option"
                  aria-selected={index === chosen}
                  justify="space-between"
                  wrap="nowrap"
                  p="xs"
                  mih={44}
                  {...(index === chosen && { bg: 'var(--mantine-primary-color-light)' })}
                  style={{ cursor: 'pointer', borderRadius: 'var(--mantine-radius-sm)' }}
                  onMouseMove={() => setAt(index)}
                  onClick={() => open(goal)}
                >
                  <Stack gap={0}>
                    <Text style={{ overflowWrap: 'anywhere' }}>{goal.label}</Text>
                    {goal.detail && (
                      <Text size="sm" c="dimmed">
                        {goal.detail}
                      </Text>
                    )}
                  </Stack>
                  {goal.kind && (
                    <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                      {kindName(own.kinds, texts.records, goal.kind)}
                    </Badge>
                  )}
                </Group>
              </div>
            ))}
          </div>
        </ScrollArea.Autosize>
        <Text size="sm" c="dimmed" role="status">
          {goals.length > 0 ? own.keys : isSearching ? texts.act.working : error ? '' : own.nothing}
        </Text>
      </Stack>
    </Dialog>
  )
}

type Names = Readonly<Record<string, string>>
const kindName = (own: Names, records: Names, kind: string): string => records[kind] ?? own[kind] ?? kind

const paletteTexts = ownTexts({
  en: {
    title: 'Search',
    hint: 'Screen, code, number, CNPJ, domain, e-mail …',
    found: 'What was found',
    screens: 'Go to',
    organizations: 'Your organizations',
    here: 'In this organization',
    everywhere: 'Over all customers',
    nothing: 'Nothing fits. Codes and names are found by the beginning of a word.',
    keys: '↑ ↓ choose, Enter opens, Esc closes',
    kinds: {
      user: 'Person',
      product: 'Product',
      site: 'Site',
      document: 'Document',
      affiliate: 'Affiliate',
      collaborator: 'Member',
    },
  },
  'pt-BR': {
    title: 'Buscar',
    hint: 'Tela, código, número, CNPJ, domínio, e-mail …',
    found: 'O que foi encontrado',
    screens: 'Ir para',
    organizations: 'Suas organizações',
    here: 'Nesta organização',
    everywhere: 'Em todos os clientes',
    nothing: 'Nada corresponde. Códigos e nomes são encontrados pelo começo de uma palavra.',
    keys: '↑ ↓ escolhem, Enter abre, Esc fecha',
    kinds: {
      user: 'Pessoa',
      product: 'Produto',
      site: 'Site',
      document: 'Arquivo',
      affiliate: 'Afiliado',
      collaborator: 'Membro',
    },
  },
})
