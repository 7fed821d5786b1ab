// Invites somebody: the link is shown once to whoever made it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, TextField } from '../../ui/field'
import { explain } from '../../ui/states'

const roles = ['agent', 'viewer', 'owner'] as const

export function InviteDialog({ onInvited, onClose }: { onInvited: (url: string) => void; onClose: () => void }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('agent')
  const invite = useMutation({
    mutationFn: () => parley.invitations.create({ email, role }),
    onSuccess: ({ url }) => {
      void queries.invalidateQueries({ queryKey: [...key, 'invitations'] })
      onInvited(url)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <Dialog title={text.settings.invite} isOpen onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label={text.signIn.email}
          type="email"
          value={email}
          required
          autoFocus
          onChange={({ target }) => setEmail(target.value)}
          error={invite.error === null ? undefined : explain(invite.error)}
        />
        <ChoiceField
          label={text.settings.role}
          value={role}
          onChoose={setRole}
          options={roles.map((one) => [one, text.settings.roleHints[one]])}
        />
        <Button type="submit" look="primary" className="justify-self-end" disabled={invite.isPending}>
          {text.settings.makeLink}
        </Button>
      </form>
    </Dialog>
  )
}
