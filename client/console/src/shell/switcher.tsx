import { useInfiniteQuery } from '@tanstack/react-query';
import { businessProfilesList, usersListMerchants } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { refusalOf } from '../api/refusal.ts';
import { useTexts } from '../texts/index.tsx';
import { useFilters } from '../ui/filters.tsx';
import { useTell } from '../ui/notices.tsx';
import { adviceOf } from '../ui/states.tsx';
import { useMay, useRead, useSession } from './session.tsx';

const EVERY = 'all';
const MORE = 'more';
/** The merchant accounts that are read at once. */
const PAGE = 50;

/** Reads the merchant accounts in which the user has a role, page by page. */
function useAccounts() {
    const { client, user } = useSession();
    return useInfiniteQuery({
        queryKey: [user.merchant_id, 'accounts'],
        queryFn: async ({ signal, pageParam }) => await usersListMerchants(client, { limit: PAGE, offset: pageParam }, { signal }),
        initialPageParam: 0,
        getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
    });
}

/** The merchant account and profile that the console shows, and the way to others that the role may see. */
export function Switcher(): ReactNode {
    const texts = useTexts();
    const tell = useTell();
    const [, navigate] = useLocation();
    const { user, profileId, chooseProfile, chooseMerchant } = useSession();
    const [isSwitching, setSwitching] = useState(false);
    const accounts = useAccounts();
    const filters = useFilters();
    const profiles = useRead(['profiles'], (client, signal) => businessProfilesList(client, user.merchant_id, { signal }), { enabled: useMay('business_profiles_list') });
    // An account that appears while pages are read shifts them, so that one can occur twice.
    const others = [...new Map(accounts.data?.pages.flat().map((one) => [one.merchant_id, one])).values()];
    const merchant = others.find((one) => one.merchant_id === user.merchant_id)?.merchant_name ?? user.merchant_id;
    const choices = profiles.data ?? [];
    const profile = choices.find((one) => one.profile_id === profileId)?.profile_name ?? texts.shell.allProfiles;
    const label = (
        <>
            <bdi className="switcher-merchant">{merchant}</bdi>
            <bdi className="switcher-profile">{isSwitching ? texts.shell.switching : profile}</bdi>
        </>
    );
    if (others.length < 2 && choices.length < 2) return <div className="switcher plain">{label}</div>;
    const choose = async (merchantId: string): Promise<void> => {
        if (merchantId === user.merchant_id) return;
        setSwitching(true);
        try {
            // Nothing of the former merchant account exists in the other one.
            navigate('/');
            await chooseMerchant(merchantId);
            tell(texts.shell.switched(merchantId), 'info');
        } catch (error) {
            tell(adviceOf(refusalOf(error), texts).title, 'bad');
        } finally {
            setSwitching(false);
        }
    };
    const more = async (): Promise<void> => {
        const { error } = await accounts.fetchNextPage();
        if (error) tell(adviceOf(refusalOf(error), texts).title, 'bad');
    };
    return (
        <MenuTrigger>
            <Button className="switcher">
                <span className="hidden">{texts.shell.merchant}</span>
                {label}
                <span className="chevron" aria-hidden="true">
                    ⌄
                </span>
            </Button>
            <Popover className="popover" placement="bottom start">
                <Menu className="menu" aria-label={texts.shell.merchant}>
                    {others.length > 1 ? (
                        <MenuSection
                            selectionMode="single"
                            disallowEmptySelection
                            selectedKeys={[user.merchant_id]}
                            onSelectionChange={(keys) => void choose(String([...(keys as Set<string>)][0] ?? user.merchant_id))}
                        >
                            <Header className="menu-name">{texts.shell.merchant}</Header>
                            {others.map((one) => (
                                <MenuItem key={one.merchant_id} id={one.merchant_id} className="menu-item" textValue={one.merchant_name ?? one.merchant_id}>
                                    <bdi>{one.merchant_name ?? one.merchant_id}</bdi>
                                </MenuItem>
                            ))}
                        </MenuSection>
                    ) : null}
                    {accounts.hasNextPage ? (
                        <MenuItem id={MORE} className="menu-item" shouldCloseOnSelect={false} onAction={() => void more()}>
                            {accounts.isFetchingNextPage ? texts.common.loading : texts.shell.moreMerchants}
                        </MenuItem>
                    ) : null}
                    {choices.length > 1 ? (
                        <MenuSection
                            selectionMode="single"
                            disallowEmptySelection
                            selectedKeys={[profileId ?? EVERY]}
                            onSelectionChange={(keys) => {
                                const chosen = String([...(keys as Set<string>)][0] ?? EVERY);
                                // A page of one profile's list is none of another's.
                                if (!filters.isFirstPage) filters.set({});
                                chooseProfile(chosen === EVERY ? undefined : chosen);
                            }}
                        >
                            <Header className="menu-name">{texts.shell.profile}</Header>
                            <MenuItem id={EVERY} className="menu-item">
                                {texts.shell.allProfiles}
                            </MenuItem>
                            {choices.map((one) => (
                                <MenuItem key={one.profile_id} id={one.profile_id} className="menu-item" textValue={one.profile_name}>
                                    <bdi>{one.profile_name}</bdi>
                                </MenuItem>
                            ))}
                        </MenuSection>
                    ) : null}
                </Menu>
            </Popover>
        </MenuTrigger>
    );
}
