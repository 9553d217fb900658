// A file of another system becomes records: what it is, how its columns are called here, first as a trial.
import {
  Alert,
  Button,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  FileInput,
  Title,
} from '@mantine/core'
import { adminCreateImport, ValidationError } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { noteFailure } from '../../client.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { sentenceOf } from '../../parts/problem.tsx'
import type { ScreenProps } from '../../screens.ts'
import { nameOf } from '../../texts/texts.ts'
import { importKindsOf } from '../../resources/transfers.ts'
import { columnsOf, type Delimiter, mappingOf } from './columns.ts'
import { Mapping } from './mapping.tsx'
import { importTexts } from './texts.ts'

export function Screen({ here }: ScreenProps) {
  const { texts, may } = usePerson()
  const kinds = importKindsOf(may)
  const own = useOwnTexts(importTexts)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [columns, setColumns] = useState<readonly string[]>([])
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({})
  const [kind, setKind] = useState<(typeof kinds)[number] | null>(null)
  const [source, setSource] = useState('')
  const [delimiter, setDelimiter] = useState<Delimiter | ''>('')
  const [encoding, setEncoding] = useState<'utf-8' | 'windows-1252'>('utf-8')
  const [isBrazilian, setBrazilian] = useState(false)
  const [isTrial, setTrial] = useState(true)
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const problems = error instanceof ValidationError ? error.fields : {}
  const format = /\.(ndjson|jsonl)$/i.test(file?.name ?? '') ? 'ndjson' : 'csv'
  async function choose(chosen: File | null, by: Delimiter | '' = delimiter, as = encoding): Promise<void> {
    setFile(chosen)
    setColumns(chosen === null ? [] : await columnsOf(chosen, { delimiter: by, encoding: as }))
  }
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    setRunning(true)
    setError(null)
    try {
      const mapping = mappingOf(columns, fields)
      const made = await here.client.call(adminCreateImport, {
        body: {
          file: file ?? new File([], ''),
          kind: kind ?? 'organizations',
          format,
          source: source.trim(),
          dry_run: isTrial,
          ...(format === 'csv' && {
            encoding,
            ...(delimiter !== '' && { delimiter }),
            decimal_separator: isBrazilian ? ',' : '.',
            date_format: isBrazilian ? 'dd/mm/yyyy' : 'yyyy-mm-dd',
          }),
          ...(mapping !== null && { mapping: JSON.stringify(mapping) }),
        },
      })
      await queries.invalidateQueries()
      return void navigate({ to: `/all/imports/${made.id}` })
    } catch (failure) {
      setError(failure)
      noteFailure(failure)
    }
    setRunning(false)
  }
  const shown = new Set(['file', 'kind', 'source'])
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Stack maw={800}>
        <Title order={1} size="h2">
          {own.title}
        </Title>
        <Text>{own.what}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <FileInput
            label={own.file}
            required
            clearable
            accept=".csv,.ndjson,.jsonl,.txt"
            error={problems['file']}
            value={file}
            onChange={(chosen) => void choose(chosen)}
          />
          <Select
            label={own.kind}
            required
            error={problems['kind']}
            data={kinds.map((value) => ({ value, label: nameOf(texts.values, value) }))}
            value={kind}
            onChange={(value) => setKind(kinds.find((one) => one === value) ?? null)}
          />
          <TextInput
            label={own.source}
            description={own.sourceHelp}
            required
            error={problems['source']}
            value={source}
            onChange={(event) => setSource(event.currentTarget.value)}
          />
          {format === 'csv' && (
            <>
              <Select
                label={own.delimiter}
                description={own.delimiterHelp}
                clearable
                data={[',', ';', '\t'].map((value) => ({ value, label: value === '\t' ? own.tab : value }))}
                value={delimiter === '' ? null : delimiter}
                onChange={(value) => {
                  const next = value === ',' || value === ';' || value === '\t' ? value : ''
                  setDelimiter(next)
                  void choose(file, next)
                }}
              />
              <Select
                label={own.encoding}
                allowDeselect={false}
                data={['utf-8', 'windows-1252']}
                value={encoding}
                onChange={(value) => {
                  const next = value === 'windows-1252' ? value : 'utf-8'
                  setEncoding(next)
                  void choose(file, delimiter, next)
                }}
              />
              <Switch
                label={own.brazilian}
                checked={isBrazilian}
                onChange={(event) => setBrazilian(event.currentTarget.checked)}
              />
            </>
          )}
        </SimpleGrid>
        {format === 'csv' && columns.length > 0 && <Mapping columns={columns} fields={fields} onChange={setFields} />}
        <Switch
          label={own.trial}
          description={own.trialHelp}
          checked={isTrial}
          onChange={(event) => setTrial(event.currentTarget.checked)}
        />
        {error !== null && (
          <Alert color="red" role="alert">
            {sentenceOf(error, texts)}
            {Object.entries(problems)
              .filter(([field]) => !shown.has(field))
              .map(([field, problem]) => (
                <Text key={field} size="sm">
                  {field}: {problem}
                </Text>
              ))}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isRunning} disabled={file === null || kind === null || source.trim() === ''}>
            {isTrial ? own.tryIt : own.send}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
