// A new key: what it is for, and how much it may do.
import { scopes } from '@parley/contract/scopes'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, TextField } from '../../ui/field'
import { explain } from '../../ui/states'

export function MintKey({ onMinted, onClose }: { onMinted: (key: string) => void; onClose: () => void }) {
  const { parley } = usePlace()
  const [name, setName] = useState('')
  const [scope, setScope] = useState('WRITE')
  const mint = useMutation({
    mutationFn: () => parley.apiKeys.create({ name, scope }),
    onSuccess: ({ key }) => onMinted(key),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mint.mutate()
  }
  return (
    <Dialog title={text.developers.mint} isOpen onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label={text.developers.keyName}
          hint={text.developers.keyNameHint}
          value={name}
          required
          autoFocus
          onChange={({ target }) => setName(target.value)}
          error={mint.error === null ? undefined : explain(mint.error)}
        />
        <ChoiceField
          label={text.developers.scope}
          value={scope}
          onChoose={setScope}
          options={scopes.map((one) => [one, text.developers.scopes[one]])}
        />
        <Button type="submit" look="primary" className="justify-self-end" disabled={mint.isPending}>
          {text.developers.mint}
        </Button>
      </form>
    </Dialog>
  )
}
