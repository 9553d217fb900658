// The name of somebody of staff, or of a team of theirs. One request gives all of them.
import { Text } from '@mantine/core'
import { adminListTeamAssignees, adminListTeams } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePerson } from '../context.tsx'
import { hereIn } from '../place.ts'

const KEPT_MS = 600_000

type Names = ReadonlyMap<number, string>

/** Who is of a team is known by the teams; the others are asked for when one of them is to be named. */
function useName(id: number, isTeam: boolean): string | undefined {
  const { may, language } = usePerson()
  const { client } = hereIn(null, language)
  const isAllowed = may('tickets:read')
  const { data: teams } = useQuery({
    queryKey: ['colleagues', 'teams'],
    enabled: isAllowed,
    staleTime: KEPT_MS,
    queryFn: () => client.call(adminListTeams, { per_page: 100 }),
  })
  const member = teams?.flatMap(({ members }) => members).find(({ user_id }) => user_id === id)
  const { data: people } = useQuery({
    queryKey: ['colleagues', 'people'],
    enabled: isAllowed && !isTeam && teams !== undefined && member === undefined,
    staleTime: KEPT_MS,
    queryFn: async (): Promise<Names> =>
      new Map(
        (await client.call(adminListTeamAssignees, { per_page: 100 })).map(({ user_id, name }) => [user_id, name]),
      ),
  })
  return isTeam ? teams?.find((one) => one.id === id)?.name : (member?.name ?? people?.get(id))
}

export function Colleague({ id, isTeam }: { id: number; isTeam: boolean }) {
  return <Text>{useName(id, isTeam) ?? `#${id}`}</Text>
}
