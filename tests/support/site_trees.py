"""Small web projects, one a framework, as paths and contents."""

from __future__ import annotations

NEXT_APP = {
    "package.json": '{"name": "web"}',
    "next.config.mjs": "export default {}",
    "tsconfig.json": '{ // aliases\n "compilerOptions": {"paths": {"@/*": ["./src/*"],}}}',
    "src/middleware.ts": "export function middleware() {}",
    "src/app/layout.tsx": "import './globals.css'\nimport { Header } from '@/components'\nexport default Header",
    "src/app/globals.css": "@import './theme.css';",
    "src/app/theme.css": "body { color: red }",
    "src/app/page.tsx": "export default () => null",
    "src/app/(shop)/cart/page.tsx": "import { Total } from '@/components'\nexport default Total",
    "src/app/(shop)/layout.tsx": "export default ({ children }) => children",
    "src/app/pricing/page.tsx": "import dynamic from 'next/dynamic'\n"
    "const Chart = dynamic(() => import(/* webpackChunkName: 'chart' */ '@/components/Chart'))\nexport default Chart",
    "src/app/pricing/error.tsx": "export default () => 'oh'",
    "src/app/blog/[slug]/page.tsx": "import { read } from '@/lib/posts'\nexport default read",
    "src/app/api/orders/route.ts": "import { orders } from '@/lib/orders.server'\nexport const GET = orders",
    "src/components/index.ts": "export { Header } from './Header'\nexport * from './Total'\nexport type { Kind } from './kind'\n",
    "src/components/Header.tsx": "import styles from './Header.module.css'\nexport const Header = () => styles.a",
    "src/components/Header.module.css": ".a {}",
    "src/components/Total.tsx": "import { money } from '../lib/money'\nexport const Total = () => money(1)",
    "src/components/Chart.tsx": "export default () => null",
    "src/components/kind.ts": "export type Kind = 'a'",
    "src/components/Unused.tsx": "// import { x } from './Total'\nexport const Unused = \"import '../lib/money'\"",
    "src/lib/money.ts": "import type { Kind } from '../components/kind'\nexport const money = (n: number) => n",
    "src/lib/posts.ts": "export const read = () => null",
    "src/lib/orders.server.ts": "export const orders = () => null",
    "README.md": "# Web",
}

NEXT_PAGES = {
    "package.json": "{}",
    "pages/_app.js": "import '../styles/site.css'\nexport default ({ Component }) => Component",
    "pages/index.js": "export default () => null",
    "pages/about.js": "const { Team } = require('../components/Team')\nmodule.exports = Team",
    "pages/docs/[...path].js": "export default () => null",
    "pages/api/hello.js": "export default () => null",
    "components/Team.js": "exports.Team = () => null",
    "styles/site.css": "a {}",
}

REMIX = {
    "package.json": "{}",
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"~/*": ["./app/*"]}}}',
    "app/root.tsx": "import { Nav } from '~/ui/nav'\nexport default Nav",
    "app/routes/_index.tsx": "export default () => null",
    "app/routes/concerts.tsx": "export default () => null",
    "app/routes/concerts._index.tsx": "export default () => null",
    "app/routes/concerts.trending.tsx": "import { db } from '~/db.server'\nexport const loader = () => db",
    "app/routes/concerts.$city.tsx": "export default () => null",
    "app/ui/nav.tsx": "export const Nav = () => null",
    "app/db.server.ts": "export const db = 1",
}

REACT_ROUTER_7 = {
    "package.json": "{}",
    "react-router.config.ts": "export default {}",
    "app/routes.ts": """import { type RouteConfig, route, index, layout, prefix } from "@react-router/dev/routes";
export default [
  index("./home.tsx"),
  route("about", "./about.tsx"),
  layout("./auth/layout.tsx", [
    route("login", "./auth/login.tsx"),
  ]),
  ...prefix("concerts", [
    index("./concerts/home.tsx"),
    route(":city", "./concerts/city.tsx"),
  ]),
] satisfies RouteConfig;
""",
    "app/root.tsx": "export default () => null",
    "app/home.tsx": "export default () => null",
    "app/about.tsx": "import { Box } from './ui/box'\nexport default Box",
    "app/auth/layout.tsx": "export default () => null",
    "app/auth/login.tsx": "export default () => null",
    "app/concerts/home.tsx": "export default () => null",
    "app/concerts/city.tsx": "export default () => null",
    "app/ui/box.tsx": "export const Box = () => null",
}

SVELTEKIT = {
    "package.json": "{}",
    "svelte.config.js": "export default { kit: { alias: { '$ui': './src/ui' } } }",
    "src/app.html": "<html></html>",
    "src/hooks.server.ts": "export const handle = 1",
    "src/routes/+layout.svelte": "<script>import '../app.css'</script><slot/>",
    "src/routes/+page.svelte": "<h1>Don't</h1>",
    "src/routes/shop/+page.svelte": "<script lang='ts'>\n  import Cart from '$ui/Cart.svelte'\n</script><Cart/>",
    "src/routes/shop/+page.server.ts": "import { stock } from '$lib/server/stock'\nexport const load = () => stock",
    "src/routes/shop/[id]/+page.svelte": "<p/>",
    "src/routes/api/+server.ts": "export const GET = 1",
    "src/lib/server/stock.ts": "export const stock = 1",
    "src/ui/Cart.svelte": "<script>\n  import { sum } from './sum.js'\n</script>",
    "src/ui/sum.ts": "export const sum = 1",
    "src/app.css": "a {}",
}

NUXT = {
    "package.json": "{}",
    "nuxt.config.ts": "export default defineNuxtConfig({})",
    "app.vue": "<template><NuxtPage/></template>",
    "layouts/default.vue": "<template><slot/></template>",
    "pages/index.vue": "<template><p>It's home</p></template>",
    "pages/team.vue": "<template><BaseCard/><person-list/></template>\n<script setup>const { x } = useTeam()</script>",
    "pages/users/[id].vue": "<template><p/></template>",
    "components/base/Card.vue": "<template><p/></template>",
    "components/PersonList.vue": "<script setup>import { names } from '~/shared/names'</script>",
    "composables/useTeam.ts": "export const useTeam = () => 1",
    "shared/names.ts": "export const names = []",
    "server/api/hello.ts": "export default defineEventHandler(() => 1)",
}

ASTRO = {
    "package.json": "{}",
    "astro.config.mjs": "export default {}",
    "tsconfig.json": '{"extends": "astro/tsconfigs/strict", "compilerOptions": {"baseUrl": "."}}',
    "src/middleware.ts": "export const onRequest = 1",
    "src/layouts/Post.astro": "---\nimport Head from '../components/Head.astro'\n---\n<Head/><slot/>",
    "src/components/Head.astro": "<style>@import '../styles/head.css';</style><h1>It's</h1>",
    "src/styles/head.css": "a {}",
    "src/pages/index.astro": "---\nconst posts = import.meta.glob('../posts/*.md')\n---\n<p/>",
    "src/pages/about.md": "---\nlayout: ../layouts/Post.astro\n---\n# About",
    "src/pages/feed.ts": "export const GET = 1",
    "src/pages/[tag].astro": "---\n---\n<p/>",
    "src/posts/one.md": "# One",
    "src/components/Counter.tsx": "export const Counter = 1",
    "src/pages/play.mdx": "import { Counter } from 'src/components/Counter'\n\n<Counter/>",
}

MONOREPO = {
    "package.json": '{"workspaces": ["apps/*", "packages/*"]}',
    "tsconfig.base.json": '{"compilerOptions": {"paths": {"@acme/theme": ["packages/theme/src/index.ts"]}}}',
    "apps/web/package.json": '{"name": "web"}',
    "apps/web/tsconfig.json": '{"extends": "../../tsconfig.base.json"}',
    "apps/web/app/page.tsx": "import { Button } from '@acme/ui'\nexport default Button",
    "apps/web/app/shop/page.tsx": "import { Field } from '@acme/ui/forms'\nexport default Field",
    "apps/web/app/look/page.tsx": "import { red } from '@acme/theme'\nexport default red",
    "apps/admin/package.json": '{"name": "admin"}',
    "apps/admin/app/page.tsx": "export default () => null",
    "apps/admin/app/users/page.tsx": "import { Table } from '@acme/ui'\nexport default Table",
    "packages/ui/package.json": '{"name": "@acme/ui", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, '
    '"./*": "./src/*/index.ts"}}',
    "packages/ui/src/index.ts": "export { Button } from './button.js'\nexport { Table } from './table.js'\n",
    "packages/ui/src/button.tsx": "import { cx } from '#cx'\nexport const Button = cx",
    "packages/ui/src/table.tsx": "export const Table = 1",
    "packages/ui/src/forms/index.ts": "export { Field } from './field'",
    "packages/ui/src/forms/field.tsx": "export const Field = 1",
    "packages/theme/package.json": '{"name": "theme"}',
    "packages/theme/src/index.ts": "export const red = 1",
}
