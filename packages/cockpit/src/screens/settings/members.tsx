// Who works here: roles, invitations by link, and links to a new password.
import type { Member } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { ChoiceField } from '../../ui/field'
import { Moment } from '../../ui/moment'
import { explain, Failure, Waiting } from '../../ui/states'
import { ShownOnce } from '../developers/shown-once'
import { Invitations } from './invitations'
import { InviteDialog } from './invite-dialog'

export const roles = ['owner', 'agent', 'viewer'] as const

export function Members() {
  const { parley, key } = usePlace()
  const why = useOwnerOnly()
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState('')
  const list = useQuery({
    queryKey: [...key, 'members'],
    queryFn: async ({ signal }) => (await parley.members.list({ limit: 100 }, { signal })).data,
  })
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Waiting />
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex items-center justify-between gap-4">
        <p className="text-muted">{text.settings.membersIntro}</p>
        <Button
          look="primary"
          icon={<UserPlus size={15} aria-hidden />}
          because={why}
          onClick={() => setInviting(true)}
        >
          {text.settings.invite}
        </Button>
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {list.data.map((member) => (
          <MemberRow key={member.id} member={member} why={why} onLink={setLink} />
        ))}
      </ul>
      {why === undefined && <Invitations />}
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(url) => {
            setInviting(false)
            setLink(url)
          }}
        />
      )}
      {link !== '' && <ShownOnce title={text.settings.link} secret={link} onClose={() => setLink('')} />}
    </div>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly why: string | undefined
  readonly onLink: (url: string) => void
}

function MemberRow({ member, why, onLink }: MemberRowProps) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const [isSure, setSure] = useState(false)
  const onSettled = () => queries.invalidateQueries({ queryKey: [...key, 'members'] })
  const onError = (error: unknown) => toast(explain(error), { tone: 'danger' })
  const change = useMutation({
    mutationFn: (role: string) => parley.members.update(member.id, { role }),
    onSettled,
    onError,
  })
  const remove = useMutation({ mutationFn: () => parley.members.remove(member.id), onSettled, onError })
  const reset = useMutation({
    mutationFn: () => parley.members.makeResetLink(member.id),
    onSuccess: ({ url }) => (url === null ? void toast(text.settings.mailed) : onLink(url)),
    onError,
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{member.name}</p>
        <p className="truncate text-muted">{member.email}</p>
      </div>
      <span className="text-xs text-muted">
        {member.lastSeenAt === null ? text.settings.neverSeen : <Moment at={member.lastSeenAt} />}
      </span>
      <div className="w-28">
        <ChoiceField
          label={text.settings.roleOf(member.name)}
          hideLabel
          value={member.role}
          disabled={why !== undefined || change.isPending}
          onChoose={(role) => change.mutate(role)}
          options={roles.map((role) => [role, text.roles[role]])}
        />
      </div>
      <Button look="quiet" because={why} onClick={() => reset.mutate()}>
        {text.settings.resetLink}
      </Button>
      <Button
        look="danger"
        because={why}
        onClick={() => (isSure ? remove.mutate() : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {isSure ? text.settings.removeSure : text.settings.remove}
      </Button>
    </li>
  )
}
