import DefaultTheme from 'vitepress/theme-without-fonts';
import './palette.css';

export default DefaultTheme;
