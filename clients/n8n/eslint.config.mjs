// n8n's own rules: for packages of community nodes, and for the parts of a node.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes'
import parser from '@typescript-eslint/parser'
import nodesBase from 'eslint-plugin-n8n-nodes-base'

/** Where the older set contradicts the newer one, or us: addresses in full, connection types by name, our licence. */
const overruled = [
  'cred-class-field-documentation-url-miscased',
  'node-class-description-inputs-wrong-regular-node',
  'node-class-description-outputs-wrong',
  'community-package-json-license-not-default',
].map((name) => [`n8n-nodes-base/${name}`, 'off'])
const rulesOf = (name) => ({ ...nodesBase.configs[name].rules, ...Object.fromEntries(overruled) })

export default [
  { ignores: ['dist', '*.mjs'] },
  { ...n8nCommunityNodesPlugin.configs.recommended, files: ['**/*.ts', 'package.json'] },
  {
    files: ['**/*.ts', 'package.json'],
    languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
  },
  { files: ['package.json'], plugins: { 'n8n-nodes-base': nodesBase }, rules: rulesOf('community') },
  { files: ['credentials/**/*.ts'], plugins: { 'n8n-nodes-base': nodesBase }, rules: rulesOf('credentials') },
  { files: ['nodes/**/*.ts'], plugins: { 'n8n-nodes-base': nodesBase }, rules: rulesOf('nodes') },
]
