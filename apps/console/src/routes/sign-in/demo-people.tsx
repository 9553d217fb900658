// The people of the demo, who sign in by a click. The service names them in the page, in the sandbox alone.
import { Button, Divider, SimpleGrid, Text } from '@mantine/core'
import { isItem, itemsOf, textOf } from '../../resources/resource.ts'
import type { Texts } from '../../texts/en.ts'
import { nameOf } from '../../texts/texts.ts'

function offered(): { password: string; people: ReturnType<typeof itemsOf> } {
  const text = document.querySelector('meta[name="demo"]')?.getAttribute('content') ?? ''
  const given: unknown = text.startsWith('{') ? JSON.parse(text) : null
  return isItem(given)
    ? { password: textOf(given['password']), people: itemsOf(given['people']) }
    : { password: '', people: [] }
}

const DEMO = offered()

type DemoPeopleProps = { texts: Texts; onChoose: (chosen: { email: string; password: string }) => void }

export function DemoPeople({ texts, onChoose }: DemoPeopleProps) {
  if (DEMO.people.length === 0) return null
  return (
    <>
      <Divider label={texts.signIn.demo} />
      <SimpleGrid cols={2} spacing="xs">
        {DEMO.people.map((person) => {
          const email = textOf(person['email'])
          return (
            <Button
              key={email}
              variant="default"
              h="auto"
              px="xs"
              py={6}
              styles={{ label: { whiteSpace: 'normal' } }}
              onClick={() => onChoose({ email, password: DEMO.password })}
            >
              <span>
                <Text size="sm" fw={600}>
                  {textOf(person['name'])}
                </Text>
                <Text size="xs" c="dimmed">
                  {nameOf(texts.values, textOf(person['does']))}
                </Text>
                {textOf(person['organization']) !== '' && (
                  <Text size="xs" c="dimmed">
                    {textOf(person['organization'])}
                  </Text>
                )}
              </span>
            </Button>
          )
        })}
      </SimpleGrid>
    </>
  )
}
