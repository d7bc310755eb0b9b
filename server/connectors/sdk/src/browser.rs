//! The payer's browser, as 3-D Secure needs it.

use multirail_kernel::record_object::record_object;

record_object! {
    /// Data of the payer's browser.
    #[derive(Default, Eq)]
    pub struct Browser {
    } and maybe {
        color_depth: i32,
        java_enabled: bool,
        java_script_enabled: bool,
        language: String,
        /// Height in pixels.
        screen_height: i32,
        /// Width in pixels.
        screen_width: i32,
        /// Minutes from local time to UTC.
        time_zone: i32,
        ip_address: String,
        accept_header: String,
        user_agent: String,
        os_type: String,
        os_version: String,
        device_model: String,
        accept_language: String,
        referer: String,
    }
}

impl Browser {
    /// Returns the first member of `browser_info` that an authentication needs and that is unset.
    pub fn lacks(&self) -> Option<&'static str> {
        let members = [
            ("browser_info.accept_header", self.accept_header.is_some()),
            ("browser_info.color_depth", self.color_depth.is_some()),
            ("browser_info.java_enabled", self.java_enabled.is_some()),
            ("browser_info.language", self.language.is_some()),
            ("browser_info.screen_height", self.screen_height.is_some()),
            ("browser_info.screen_width", self.screen_width.is_some()),
            ("browser_info.time_zone", self.time_zone.is_some()),
            ("browser_info.user_agent", self.user_agent.is_some()),
        ];
        let mut members = members.into_iter();
        members.find(|(_, is_set)| !is_set).map(|(name, _)| name)
    }

    /// Returns the browser with each unset member taken from `shown`, the data that the browser
    /// itself sent.
    pub fn completed(self, shown: Browser) -> Browser {
        Browser {
            color_depth: self.color_depth.or(shown.color_depth),
            java_enabled: self.java_enabled.or(shown.java_enabled),
            java_script_enabled: self.java_script_enabled.or(shown.java_script_enabled),
            language: self.language.or(shown.language),
            screen_height: self.screen_height.or(shown.screen_height),
            screen_width: self.screen_width.or(shown.screen_width),
            time_zone: self.time_zone.or(shown.time_zone),
            ip_address: self.ip_address.or(shown.ip_address),
            accept_header: self.accept_header.or(shown.accept_header),
            user_agent: self.user_agent.or(shown.user_agent),
            os_type: self.os_type.or(shown.os_type),
            os_version: self.os_version.or(shown.os_version),
            device_model: self.device_model.or(shown.device_model),
            accept_language: self.accept_language.or(shown.accept_language),
            referer: self.referer.or(shown.referer),
            unread: self.unread,
        }
    }
}
