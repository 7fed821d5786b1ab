// A new key: what it is for, how much it may do, and what an agent may do with it.
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
  const [agentWrites, setAgentWrites] = useState('propose')
  const mint = useMutation({
    mutationFn: () => parley.apiKeys.create({ name, scope, agentWrites }),
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
        {scope !== 'READ' && (
          <ChoiceField
            label={text.developers.agentWrites}
            hint={text.developers.agentWritesHint}
            value={agentWrites}
            onChoose={setAgentWrites}
            options={Object.entries(text.developers.agentWriteModes)}
          />
        )}
        <Button type="submit" look="primary" className="justify-self-end" disabled={mint.isPending}>
          {text.developers.mint}
        </Button>
      </form>
    </Dialog>
  )
}
